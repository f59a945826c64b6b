CREATE VIEW clock AS SELECT CAST(unixepoch('now', 'subsec') * 1000 AS BIGINT) AS ms;
