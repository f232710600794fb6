import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ok, type Result } from '../../result/result.ts';
import { applyChange, type Change, type EditRefusal } from './change.ts';
import { viewInScript, type ScriptView } from './edit-in-script.ts';
import { markWords } from './edit-marks.ts';
import { mergeSegments, replaceText } from './edit-segments.ts';
import { splitSegment } from './split-segment.ts';
import { assignSpeaker } from './edit-speakers.ts';
import type { Transcript } from './transcript.ts';

const transcriptOf = (text: string): Transcript => ({
  language: 'uz',
  durationMs: 60_000,
  speakers: [
    { id: 'a', name: null },
    { id: 'b', name: null },
  ],
  segments: [
    {
      id: 's1',
      speakerId: 'a',
      startMs: 0,
      endMs: text.split(' ').length * 1000,
      text,
      words: text.split(' ').map((word, at) => ({ text: word, startMs: at * 1000, endMs: at * 1000 + 900 })),
    },
  ],
});
type Operation = (now: Transcript) => Result<Change, EditRefusal>;
const after = (start: Transcript, ...operations: readonly Operation[]): Transcript =>
  operations.reduce((now, operate) => {
    const made = operate(now);
    const applied = made.ok ? applyChange(now, made.value) : made;
    if (!applied.ok) throw new Error(applied.error);
    return applied.value.transcript;
  }, start);
const split =
  (id: string, offset: number, newId: string): Operation =>
  (now) =>
    splitSegment(now, id, offset, newId);
const merge =
  (firstId: string, secondId: string): Operation =>
  (now) =>
    mergeSegments(now, firstId, secondId);
const type =
  (id: string, text: string): Operation =>
  (now) =>
    replaceText(now, id, text);
const give =
  (id: string, speakerId: string): Operation =>
  (now) =>
    assignSpeaker(now, new Set([id]), speakerId);
const textsOf = (transcript: Transcript) => transcript.segments.map(({ text }) => text);

const start = transcriptOf('bizning kulolchilik ustaxonamiz');
const inside = 'bizning kul'.length;

describe('a word that a split cut in two', () => {
  it('is what it was when its segments are joined, whatever else was done meanwhile', () => {
    expect(after(start, split('s1', inside, 's2'), merge('s1', 's2'))).toEqual(start);
    const wandered = after(start, split('s1', inside, 's2'), give('s2', 'b'), give('s2', 'a'));
    expect(textsOf(wandered)).toEqual(['bizning kul', 'olchilik ustaxonamiz']);
    expect(after(wandered, merge('s1', 's2'))).toEqual(start);
    const twice = after(start, split('s1', inside, 's2'), split('s2', 3, 's3'));
    expect(textsOf(twice)).toEqual(['bizning kul', 'olc', 'hilik ustaxonamiz']);
    expect(after(twice, merge('s2', 's3'), merge('s1', 's2'))).toEqual(start);
  });

  it('is one word with the letters that its halves have by then', () => {
    const typed = after(
      start,
      split('s1', inside, 's2'),
      type('s2', 'olchiligi ustaxonamiz'),
      type('s1', 'Bizning ku'),
      merge('s1', 's2'),
    );
    expect(textsOf(typed)).toEqual(['Bizning kuolchiligi ustaxonamiz']);
    expect(typed.segments[0]?.words[1]).toEqual({
      text: 'kuolchiligi',
      startMs: 1000,
      endMs: 1900,
      isEstimated: true,
    });
  });

  it('stays two words where another word came between, or only one half is to be hidden', () => {
    const cut = after(start, split('s1', inside, 's2'));
    expect(textsOf(after(cut, type('s1', 'bizning kul va'), merge('s1', 's2')))).toEqual([
      'bizning kul va olchilik ustaxonamiz',
    ]);
    expect(textsOf(after(cut, type('s2', 'va olchilik ustaxonamiz'), merge('s1', 's2')))).toEqual([
      'bizning kul va olchilik ustaxonamiz',
    ]);
    const redacted = after(cut, (now) => markWords(now, [{ segmentId: 's2', from: 0, to: 1 }], 'redacted'));
    expect(textsOf(after(redacted, merge('s1', 's2')))).toEqual(['bizning kul olchilik ustaxonamiz']);
  });

  const shownBy =
    (view: ScriptView) =>
    (operate: Operation): Operation =>
    (now) => {
      const made = operate(view.show(now));
      return made.ok ? { ...made, value: view.store(now, made.value) } : made;
    };

  it('keeps a stored spelling that its shown letters do not tell', () => {
    const stored = transcriptOf("sentyabrda bo'ldi");
    const shown = shownBy(viewInScript('cyrillic'));
    const cut = after(stored, shown(split('s1', 4, 's2')), shown(give('s2', 'b')), shown(give('s2', 'a')));
    expect(after(cut, shown(merge('s1', 's2')))).toEqual(stored);
  });

  it('is whole again when its segments are joined in other letters than it was cut in', () => {
    const stored = transcriptOf("hamma bo'lishi obyekt");
    const view = viewInScript('cyrillic');
    const shown = shownBy(view);
    const cutInLatin = after(stored, split('s1', "hamma bo'lis".length, 's2'));
    expect(textsOf(view.show(cutInLatin))).toEqual(['ҳамма бўлис', 'ҳи объект']);
    const joinedInCyrillic = after(cutInLatin, shown(merge('s1', 's2')));
    expect(joinedInCyrillic).toEqual(stored);
    expect(textsOf(view.show(joinedInCyrillic))).toEqual(['ҳамма бўлиши объект']);
    const cutInCyrillic = after(stored, shown(split('s1', 'ҳамма бўлиши об'.length, 's2')));
    expect(textsOf(view.show(cutInCyrillic))).toEqual(['ҳамма бўлиши об', 'ъект']);
    expect(after(cutInCyrillic, merge('s1', 's2'))).toEqual(stored);
  });

  it('is one word in both letters after one half was corrected in the others', () => {
    const view = viewInScript('cyrillic');
    const cut = after(transcriptOf("bo'lishi"), split('s1', "bo'lis".length, 's2'));
    const typed = after(cut, shownBy(view)(type('s2', 'ҳлар')));
    expect(textsOf(after(typed, merge('s1', 's2')))).toEqual(["bo'lishlar"]);
    expect(textsOf(view.show(after(typed, shownBy(view)(merge('s1', 's2')))))).toEqual(['бўлисҳлар']);
  });

  it('is whole again wherever and in whichever letters it was cut and joined, also when it was shifted', () => {
    const words = fc.constantFrom(
      "bo'lishi",
      'sentyabrda',
      'yer',
      'obyekt',
      "Is'hoq",
      'shchotka',
      'qogʻozchi',
      'Google',
    );
    fc.assert(
      fc.property(
        words,
        fc.nat({ max: 9 }),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (word, at, cuts, joins, shifts) => {
          const view = viewInScript('cyrillic');
          const shown = shownBy(view);
          const stored = transcriptOf(`va ${word} bilan`);
          const halves = split('s1', 'va '.length + at, 's2');
          fc.pre(halves(cuts ? view.show(stored) : stored).ok);
          const cut = after(stored, cuts ? shown(halves) : halves);
          view.show(cut);
          const shifted = shifts ? after(cut, () => ok([{ type: 'shift', from: 1, byMs: 40 }])) : cut;
          view.show(shifted);
          const joined = after(shifted, joins ? shown(merge('s1', 's2')) : merge('s1', 's2'));
          if (shifts) expect(joined.segments).toHaveLength(1);
          else expect(joined).toEqual(stored);
          expect(textsOf(view.show(joined))).toEqual(textsOf(view.show(stored)));
        },
      ),
    );
  });

  it('is whole again wherever it was cut', () => {
    fc.assert(
      fc.property(fc.nat({ max: start.segments[0]?.text.length ?? 0 }), (offset) => {
        const made = splitSegment(start, 's1', offset, 's2');
        fc.pre(made.ok);
        expect(after(start, () => made, merge('s1', 's2'))).toEqual(start);
      }),
    );
  });
});

it('merging with what somebody said meanwhile keeps the end and the times of the longer segment', () => {
  const start = transcriptOf('bir ikki uch toʻrt besh');
  const [long] = start.segments;
  if (long === undefined) throw new Error('no segment');
  const meanwhile = { ...long, id: 's2', speakerId: 'b', startMs: 2000, endMs: 3000, text: 'ha', words: [] };
  const [merged] = after({ ...start, segments: [long, meanwhile] }, (now) => mergeSegments(now, 's1', 's2')).segments;
  expect(merged).toMatchObject({ startMs: 0, endMs: 5000, text: 'bir ikki uch toʻrt besh ha' });
  expect(merged?.words).toEqual(long.words);
});
