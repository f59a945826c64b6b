CREATE VIEW clock AS SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS ms;
