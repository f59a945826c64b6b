-- Shares of lanes are counted with every beat of a worker: over those that run, not over all that ever ran.
CREATE INDEX attempt_running ON attempt (lane, worker) WHERE state = 'running';
-- Who looks for released cells finds the oldest.
CREATE INDEX cell_released ON cell (since, ord) WHERE state = 'released';
