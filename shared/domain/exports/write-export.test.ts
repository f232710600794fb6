import { expect, it } from 'vitest';
import { seededRandom } from '../random/seeded-random.ts';
import { transcriptScripts } from '../transcript/in-script.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { exporters } from './exporters.ts';
import { writeBeginning, writeWhole } from './write-export.ts';

const facts = { title: 'Suhbat', nameSpeaker: (language: string, at: number) => `${language} ${String(at)}` };
const words = ['soʻz', 'yaxshi.', 'gʻalaba,', 'Toshkentda', '-->', '<b>', 'a', 'привет'];

/** Words of all lengths, pauses, turns of three speakers, and times that touch or overlap a little. */
function long(seed: number, count: number): Transcript {
  const random = seededRandom(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  let atMs = 0;
  const segments = Array.from({ length: count }, (_, at) => {
    const texts = Array.from({ length: 1 + upTo(30) }, () => words[upTo(words.length)] ?? '');
    const made = texts.map((text, word) => {
      const startMs = atMs;
      atMs += 40 + upTo(500);
      return { id: `s${String(at)}w${String(word)}`, text, startMs, endMs: atMs };
    });
    const startMs = made[0]?.startMs ?? 0;
    const segment = { id: `s${String(at)}`, startMs, endMs: atMs, speakerId: `p${String(upTo(3))}` };
    atMs += upTo(1500);
    return { ...segment, text: texts.join(' '), words: at % 7 === 0 ? [] : made };
  });
  const speakers = [
    { id: 'p0', name: 'Aziz' },
    { id: 'p1', name: null },
    { id: 'p2', name: null },
  ];
  return { language: 'uz', durationMs: atMs, speakers, segments };
}

it('the beginning of every export is exactly the beginning of its file, whatever is left unwritten', () => {
  for (const [at, transcript] of [long(1, 420), long(2, 3), long(3, 230)].entries())
    for (const exporter of Object.values(exporters))
      for (const script of transcriptScripts) {
        const whole = writeWhole(exporter, transcript, script, facts);
        for (const characters of [1, 6_000, whole.length - 1, whole.length]) {
          const { text, isCut } = writeBeginning(exporter, transcript, script, facts, characters);
          expect(
            text === whole.slice(0, characters),
            `${String(at)} ${exporter.id} ${script} ${String(characters)}`,
          ).toBe(true);
          expect(isCut).toBe(characters < whole.length);
        }
      }
});

it('of hours of speech only the beginning is written', () => {
  const transcript = long(4, 20_000);
  let asked = 0;
  const counting = {
    ...exporters.txt,
    write: (some: Transcript) => {
      asked = Math.max(asked, some.segments.length);
      return exporters.txt.write(some, { title: '', speakerName: () => '' });
    },
  };
  expect(writeBeginning(counting, transcript, 'as-written', facts, 6_000).isCut).toBe(true);
  expect(asked).toBeLessThan(500);
});
