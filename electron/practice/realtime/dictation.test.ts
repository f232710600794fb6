import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Dictation, type Step } from './dictation.ts';

const start = JSON.stringify({
  type: 'start',
  language: 'uz',
  audio_format: 'pcm_s16le',
  sample_rate: 16_000,
  channels: 1,
  word_timestamps: true,
});
const commit = JSON.stringify({ type: 'commit' });
const interrupt = JSON.stringify({ action: 'interrupt' });
const audio = (ms: number): Buffer => Buffer.alloc(ms * 32);
const outcome = (step: Step): string => (step.kind === 'error' ? step.code : step.kind);

describe('a dictation', () => {
  it.each<readonly [string, readonly (string | Buffer)[], string]>([
    ['sound before start', [audio(100)], 'not_started'],
    ['commit before start', [commit], 'not_started'],
    ['99 ms', [start, audio(99), commit], 'invalid_audio'],
    ['100 ms', [start, audio(100), commit], 'commit'],
    ['35 s', [start, audio(20_000), audio(15_000), commit], 'commit'],
    ['more than 35 s', [start, audio(35_000), Buffer.alloc(2)], 'audio_too_long'],
    ['half a sample', [start, audio(200), Buffer.alloc(1), commit], 'invalid_audio'],
    ['stop in place of commit', [start, audio(200), JSON.stringify({ action: 'stop' })], 'commit'],
    ['WebM', [start, Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0, 0])], 'invalid_audio'],
    ['words that are no JSON', ['start'], 'invalid_message'],
    ['an unknown message', [JSON.stringify({ type: 'sing' })], 'invalid_message'],
    ['another rate', [start.replace('16000', '44100')], 'validation_error'],
    ['another language', [start.replace('uz', 'de')], 'validation_error'],
    ['a second start over sound', [start, audio(10), start], 'busy'],
    ['sound while it works', [start, audio(200), commit, audio(10)], 'busy'],
    ['commit while it works', [start, audio(200), commit, commit], 'busy'],
    ['commit after an interrupt', [start, audio(200), interrupt, commit], 'not_started'],
    ['start after an interrupt of work', [start, audio(200), commit, interrupt, start], 'nothing'],
  ])('%s: %s ends as %s', (_name, messages, expected) => {
    const dictation = new Dictation();
    const steps = messages.map((one) => (typeof one === 'string' ? dictation.takeText(one) : dictation.takeAudio(one)));
    expect(outcome(steps.at(-1) ?? { kind: 'nothing' })).toBe(expected);
  });

  it('does not take the answer to an interrupted utterance for the answer to the next', () => {
    const dictation = new Dictation();
    const commitOne = (): Step => {
      dictation.takeText(start);
      dictation.takeAudio(audio(200));
      return dictation.takeText(commit);
    };
    const first = commitOne();
    dictation.takeText(interrupt);
    const second = commitOne();
    if (first.kind !== 'commit' || second.kind !== 'commit') throw new Error('not committed');
    dictation.finish(first.utterance);
    expect([dictation.isAwaited(first.utterance), dictation.isAwaited(second.utterance)]).toEqual([false, true]);
  });

  it('gives every committed byte to exactly one utterance, whatever is sent', () => {
    const step = fc.oneof(
      fc.constantFrom(start, commit, interrupt, 'junk', '{}'),
      fc.integer({ min: 0, max: 4000 }).map((bytes) => Buffer.alloc(bytes)),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (messages) => {
        const dictation = new Dictation();
        let taken = 0;
        for (const one of messages) {
          const result = typeof one === 'string' ? dictation.takeText(one) : dictation.takeAudio(one);
          if (typeof one !== 'string' && result.kind === 'nothing') taken += one.length;
          if (result.kind !== 'commit') continue;
          expect(result.utterance.pcm.length).toBeLessThanOrEqual(taken);
          expect(result.utterance.durationMs).toBeGreaterThanOrEqual(100);
          taken -= result.utterance.pcm.length;
          expect(dictation.isAwaited(result.utterance)).toBe(true);
          dictation.finish(result.utterance);
        }
        expect(taken).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
