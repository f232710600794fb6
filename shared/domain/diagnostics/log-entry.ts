import type { FailureRow } from '../../result/failure.ts';

/**
 * Everything that a log line may contain (reliability S-08): an allow-list, so that there is no parameter for keys,
 * bodies, transcripts, paths or URLs. `event` is a fixed kebab-case word of the code; `item` is a job or window id.
 */
export interface LogEntry {
  readonly event: string;
  readonly level?: 'info' | 'warn' | 'error';
  /** The route's template (`/v1/stt/transcriptions/{id}`), never the called address. */
  readonly route?: string;
  readonly method?: string;
  readonly status?: number;
  readonly code?: string;
  readonly row?: FailureRow;
  readonly requestId?: string;
  readonly attempt?: number;
  readonly ms?: number;
  readonly bytes?: number;
  readonly count?: number;
  readonly item?: string;
}

/** Takes lines and never throws; a line that can't be written is counted and dropped. */
export interface Logger {
  write(entry: LogEntry): void;
}
