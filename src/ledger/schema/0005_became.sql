-- What became of a result that was taken: the answer to the same call again, whatever has happened to the cell since.
ALTER TABLE attempt ADD COLUMN became TEXT;
UPDATE attempt SET became = CASE
  WHEN EXISTS (SELECT 1 FROM cell WHERE cell.won = attempt.id) THEN 'counted'
  WHEN EXISTS (SELECT 1 FROM cell WHERE cell.id = attempt.cell AND cell.state = 'dead') THEN 'dead'
  ELSE 'owed' END
WHERE state = 'done';
