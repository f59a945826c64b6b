-- Cells of equal key in other experiments are looked up where a file allows to reuse their attempts.
CREATE INDEX cell_by_key ON cell (key);
