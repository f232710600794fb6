import { describe, expect, it } from 'vitest';
import type { JobView } from './job-view.ts';
import { batchLeftMs, jobLeftMs, learnPace, noPace, rememberedSamples, usualServiceMs } from './time-left.ts';

const sample = { sentBytes: 1_000_000, uploadMs: 1_000, audioMs: 60_000, serviceMs: 6_000 };
const row = (state: JobView['state'], change: Partial<Extract<JobView, { kind: 'transcribe' }>> = {}): JobView => ({
  id: 'a',
  seq: 1,
  name: 'a.wav',
  sizeBytes: 2_000_000,
  durationMs: 120_000,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: false,
  addedAtMs: 0,
  rank: 1,
  state,
  ...change,
});

describe('the history of finished jobs', () => {
  it('gives their median, so that one odd job changes little, and only the last twenty count', () => {
    const odd = { ...sample, uploadMs: 900_000, serviceMs: 900_000 };
    const pace = learnPace([odd, sample, sample, sample]);
    expect(pace.bytesPerSecond).toBe(1_000_000);
    expect(pace.servicePerAudio?.median).toBe(0.1);
    const many = learnPace([
      ...Array.from({ length: 50 }, () => odd),
      ...Array.from({ length: rememberedSamples }, () => sample),
    ]);
    expect(many).toMatchObject({ sampleCount: rememberedSamples, bytesPerSecond: 1_000_000 });
  });

  it('gives nothing while nothing could be measured', () => {
    expect(learnPace([])).toEqual(noPace);
    expect(learnPace([{ sentBytes: 0, uploadMs: 0, audioMs: 0, serviceMs: 5_000 }])).toEqual({
      sampleCount: 1,
      bytesPerSecond: null,
      servicePerAudio: null,
      serviceMs: 5_000,
    });
  });

  it('gives the usual range of the service for a length', () => {
    const pace = learnPace([4_000, 6_000, 8_000].map((serviceMs) => ({ ...sample, serviceMs })));
    const usual = usualServiceMs(pace, 600_000);
    expect(usual && [usual.lowMs, usual.medianMs, usual.highMs].map(Math.round)).toEqual([50_000, 60_000, 70_000]);
    expect(usualServiceMs(noPace, 600_000)).toBeNull();
  });
});

describe('time left', () => {
  const pace = learnPace([sample]);

  it('of a row is its bytes and the service’s own time; an upload counts its own speed once it is known', () => {
    expect(jobLeftMs(row({ tag: 'waiting', placeInQueue: 1 }), pace, 0)).toBe(2_000 + 12_000);
    const uploading = { tag: 'uploading', sentBytes: 500_000, totalBytes: 2_000_000, sinceMs: 0 } as const;
    expect(jobLeftMs(row(uploading), pace, 1_000)).toBe(1_500 + 12_000);
    expect(jobLeftMs(row(uploading), pace, 2_000)).toBe(6_000 + 12_000);
    expect(jobLeftMs(row({ tag: 'processing', sinceMs: 0, rawStatus: null }), pace, 5_000)).toBe(7_000);
  });

  it('is not shown if nothing is known, nothing moves, or it takes longer than usual', () => {
    expect(jobLeftMs(row({ tag: 'waiting', placeInQueue: 1 }), noPace, 0)).toBeNull();
    expect(jobLeftMs(row({ tag: 'paused', sentBytes: 0, totalBytes: 1 }), pace, 0)).toBeNull();
    expect(jobLeftMs(row({ tag: 'processing', sinceMs: 0, rawStatus: null }), pace, 60_000)).toBeNull();
  });

  it('of a batch divides the connections to the service and ends with the last transcript', () => {
    const jobs = Array.from({ length: 4 }, (_, at) => row({ tag: 'waiting', placeInQueue: at + 1 }));
    expect(batchLeftMs(jobs, pace, 1, 0)).toBe(4 * 2_000 + 12_000);
    expect(batchLeftMs(jobs, pace, 2, 0)).toBe(2 * 2_000 + 12_000);
    expect(batchLeftMs([...jobs, row({ tag: 'paused', sentBytes: 0, totalBytes: 1 })], pace, 8, 0)).toBe(14_000);
    expect(batchLeftMs(jobs, noPace, 2, 0)).toBeNull();
    expect(batchLeftMs([], pace, 2, 0)).toBeNull();
  });
});
