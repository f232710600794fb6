import { ok, type Result } from '../../../shared/result/result.ts';
import type { JobCommand, JobEvent } from '../../../shared/domain/jobs/job-state.ts';
import { transition } from '../../../shared/domain/jobs/machine.ts';
import type { NewTranscript } from '../library/store.ts';
import type { Entries, Entry } from './entries.ts';
import type { QueuePorts } from './ports.ts';

/** What happened to one row, with the text that becomes durable with it. */
export interface Happening {
  readonly entry: Entry;
  readonly event: JobEvent;
  readonly text: NewTranscript | null;
}

/** A happening that is on disk, or that changed nothing. */
export interface Written {
  readonly entry: Entry;
  readonly event: JobEvent;
  readonly commands: readonly JobCommand[];
  readonly hasChanged: boolean;
}

/**
 * Asks the machine what each event makes of its job, stores all of it in one transaction and takes it over. When the
 * disk refuses, nothing has changed.
 */
export function writeSteps(
  ports: Pick<QueuePorts, 'store' | 'clock'>,
  entries: Entries,
  happenings: readonly Happening[],
): Result<readonly Written[]> {
  const atMs = ports.clock.now();
  let ahead = 0;
  const steps = happenings.map(({ entry, event, text }) => {
    const before = entry.job.memory;
    const { job: memory, commands } = transition(before, event, atMs);
    if (memory === before) return { entry, event, commands, next: null, text: null };
    const finished = memory.state.tag === 'done' ? text : null;
    const moved = entries.next(entry, memory, ahead);
    ahead += 1;
    // Headers of some formats don't tell the length; the service has heard all of it.
    const next = { ...moved, durationMs: moved.durationMs ?? finished?.written.durationMs ?? null };
    return { entry, event, commands, next, text: finished };
  });
  const changes = steps.flatMap(({ event, next, text }) => (next === null ? [] : [{ job: next, event, atMs, text }]));
  const stored = changes.length === 0 ? ok(null) : ports.store.commitAll(changes);
  if (!stored.ok) return stored;
  for (const { entry, next } of steps) if (next !== null) entries.put(entry, next, atMs);
  return ok(steps.map(({ entry, event, commands, next }) => ({ entry, event, commands, hasChanged: next !== null })));
}
