import { describe, expect, it } from 'vitest';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { noQueue } from '../../../shared/domain/jobs/queue-view.ts';
import { writtenLanguages } from '../../../shared/domain/languages.ts';
import { describeTray, type TrayState } from './tray-entries.ts';

const job = (name: string, state: JobView['state']): JobView => ({
  id: name,
  seq: 1,
  name,
  sizeBytes: 1000,
  durationMs: null,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: false,
  addedAtMs: 0,
  rank: 1,
  state,
});
const uploading = (name: string, sentBytes: number) =>
  job(name, { tag: 'uploading', sentBytes, totalBytes: 1000, sinceMs: 0 });
const look = (change: Partial<TrayState>) =>
  describeTray({ jobs: [], queue: noQueue, isOpen: true, language: 'en', ...change });
const facts = (state: Partial<TrayState>) =>
  look(state).entries.flatMap((entry) => (entry.kind === 'fact' ? [entry.text] : []));
const actions = (state: Partial<TrayState>) =>
  look(state).entries.flatMap((entry) => (entry.kind === 'action' ? [[entry.action, entry.isEnabled] as const] : []));

describe('the tray', () => {
  it('says that there is nothing to do, and offers to open the window and to quit', () => {
    expect(facts({})).toEqual(['Nothing in the queue']);
    expect(actions({})).toEqual([
      ['pause', true],
      ['open', true],
      ['quit', true],
    ]);
    expect(look({}).tooltip).toBe('Ovoz Studio: Nothing in the queue');
  });

  it('gives a percentage only for uploads, never rounded up', () => {
    const jobs = [
      uploading('a.wav', 999),
      job('b.wav', { tag: 'processing', sinceMs: 0, rawStatus: null }),
      job('c.wav', { tag: 'waiting', placeInQueue: 1 }),
    ];
    expect(facts({ jobs })).toEqual(['2 jobs running, 1 job waiting, 66% sent', 'a.wav: 99%', 'b.wav: at the service']);
    expect(facts({ jobs: jobs.slice(1, 2) })[0]).toBe('1 job running');
  });

  it('names five files and counts the others; a long name is cut', () => {
    const jobs = Array.from({ length: 8 }, (_, index) => uploading(`${'a'.repeat(50)}${index}.wav`, 500));
    const lines = facts({ jobs });
    expect(lines).toHaveLength(7);
    expect(lines[1]).toBe(`${'a'.repeat(39)}…: 50%`);
    expect(lines.at(-1)).toBe('and 3 more');
  });

  it('offers to resume when everything is paused, and neither while no queue is open', () => {
    const queue = { ...noQueue, isHeld: true };
    expect(facts({ queue })).toEqual(['Everything is paused']);
    expect(actions({ queue })[0]).toEqual(['go-on', true]);
    expect(actions({ isOpen: false })[0]).toEqual(['pause', false]);
  });

  it.each(writtenLanguages)('in %s has every string of the catalogues', (language) => {
    const jobs = [uploading('a.wav', 1), ...Array.from({ length: 6 }, (_, index) => uploading(`${index}.wav`, 1))];
    const { tooltip, entries } = look({ jobs, language });
    const texts = [tooltip, ...entries.flatMap((entry) => (entry.kind === 'separator' ? [] : [entry.text]))];
    expect(texts.filter((text) => /\{\{|tray\.|menu\.|shell\./.test(text))).toEqual([]);
  });
});
