import type { FailureNumber } from '../../result/failure.ts';

/** Everything a log line may contain (reliability S-08): no keys, bodies, transcripts, paths or addresses. */
export interface LogEntry {
  readonly event: string;
  readonly level?: 'info' | 'warn' | 'error';
  /** The route's template (`/v1/stt/transcriptions/{id}`), never the called address. */
  readonly route?: string;
  readonly method?: string;
  readonly status?: number;
  readonly code?: string;
  readonly row?: FailureNumber;
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
