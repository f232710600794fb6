import { resolve } from 'node:path';
import { filePort } from '../platform/node/file-port.ts';
import { diagnosticsName } from '../services/diagnostics/write-diagnostics.ts';
import { rm } from 'node:fs/promises';
import type { DiagnosticsCommand } from './command.ts';
import { placeFile, refuseTaken, unfinishedBeside } from '../platform/node/place-file.ts';
import type { Reporter } from './reporter.ts';

/** Where a report for support is made. */
export interface DiagnosticsSource {
  /** The whole text of a report; contains nothing personal. */
  collectDiagnostics(): Promise<string>;
}

/** Writes a report for support into a file that the user chose. Resolves with whether it was written. */
export async function saveDiagnostics(
  source: DiagnosticsSource,
  command: DiagnosticsCommand,
  reporter: Reporter,
): Promise<boolean> {
  const target = resolve(command.out ?? diagnosticsName(Date.now()));
  const isFree = command.out === null ? null : await refuseTaken(target, command.overwrites);
  if (isFree?.ok === false) {
    reporter.failure(isFree.error, [reporter.words('cli.force')]);
    return false;
  }
  const unfinished = unfinishedBeside(target);
  try {
    const written = await filePort.writeWhole(unfinished, await source.collectDiagnostics());
    const placed = written.ok ? await placeFile(unfinished, target, command.overwrites) : written;
    if (!placed.ok) {
      reporter.failure(placed.error);
      return false;
    }
    reporter.json({ file: placed.value, error: null });
    reporter.line(reporter.words('cli.diagnostics.done', { file: placed.value }));
    return true;
  } finally {
    await rm(unfinished, { force: true });
  }
}
