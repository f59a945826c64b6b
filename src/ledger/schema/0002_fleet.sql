-- Cells of a lane that are on their way, as the last release counted them: shares of lanes are in proportion to it.
ALTER TABLE lane ADD COLUMN busy BIGINT NOT NULL DEFAULT 0;
-- Who looks for released cells finds the oldest.
CREATE INDEX cell_released ON cell (since, ord) WHERE state = 'released';
