import type { CliResult } from './cli-run.ts';

/** A line of `--json`, as far as the tests use it. */
export interface Line {
  readonly file?: string;
  readonly outputs?: readonly string[];
  readonly piece?: string;
  readonly answer?: string;
  readonly credits?: string | null;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly outcome: string;
    readonly mayPassLater: boolean;
    readonly requestId: string | null;
  } | null;
  readonly checks?: readonly { readonly check: string; readonly state: string; readonly advice: string | null }[];
  readonly days?: readonly { readonly product: string; readonly accepted: number; readonly credits: string }[];
}
/** The output of a run, a value per line, without its progress. */
export const linesOf = ({ out }: CliResult): readonly Line[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => !('progress' in line));
