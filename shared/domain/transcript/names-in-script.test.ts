import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Result } from '../../result/result.ts';
import { applyChange, type Change, type EditRefusal } from './change.ts';
import { viewInScript, type ScriptView } from './edit-in-script.ts';
import { addSpeaker, colourSpeaker, mergeSpeakers, renameSpeaker } from './edit-speakers.ts';
import type { Transcript } from './transcript.ts';

const words = [{ text: 'bir', startMs: 0, endMs: 90 }];
const said: Transcript = {
  language: 'uz',
  durationMs: 600_000,
  speakers: [],
  segments: [{ id: 's1', speakerId: null, startMs: 0, endMs: 100, text: 'bir', words }],
};

/** An edit of the names as they are shown, done to the stored ones as the editor does it. */
function edit(view: ScriptView, stored: Transcript, operation: (shown: Transcript) => Result<Change, EditRefusal>) {
  const made = operation(view.show(stored));
  if (!made.ok) throw new Error(made.error);
  const applied = applyChange(stored, view.store(stored, made.value));
  if (!applied.ok) throw new Error(applied.error);
  return applied.value.transcript;
}

test('shows names in the letters of the text, stores those that are given in the own letters, and leaves the others', () => {
  const view = viewInScript('cyrillic');
  const speakers = [
    { id: 'a', name: "Dilnoza G'aniyeva" },
    { id: 'b', name: 'Shchedrin' },
    { id: 'c', name: null },
  ];
  const stored: Transcript = { ...said, speakers };
  const namesOf = (transcript: Transcript) => transcript.speakers.map(({ name }) => name);
  expect(namesOf(view.show(stored))).toEqual(['Дилноза Ғаниева', 'Шчедрин', null]);
  expect(view.show(stored).speakers).toBe(view.show({ ...stored }).speakers);
  const renamed = edit(view, stored, (shown) => renameSpeaker(shown, 'c', 'Цой'));
  expect(namesOf(renamed)).toEqual(["Dilnoza G'aniyeva", 'Shchedrin', 'Soy']);
  // As it was typed, while the text is open.
  expect(namesOf(view.show(renamed))).toEqual(['Дилноза Ғаниева', 'Шчедрин', 'Цой']);
  const inLatin = edit(view, renamed, (shown) => renameSpeaker(shown, 'c', "G'ulnora"));
  expect([namesOf(inLatin)[2], namesOf(view.show(inLatin))[2]]).toEqual(['Gʻulnora', 'Ғулнора']);
  const coloured = edit(view, inLatin, (shown) => colourSpeaker(shown, 'a', 3));
  expect(namesOf(coloured)).toEqual(["Dilnoza G'aniyeva", 'Shchedrin', 'Gʻulnora']);
  // A name that goes to somebody else goes as it is stored.
  const merged = edit(view, stored, (shown) => mergeSpeakers(shown, 'b', 'c'));
  expect(merged.speakers).toEqual([speakers[0], { id: 'c', name: 'Shchedrin' }]);
  view.settle(coloured, 's1');
  expect(namesOf(view.show(coloured))).toEqual(['Дилноза Ғаниева', 'Шчедрин', 'Ғулнора']);
});

test('leaves every other name as it is stored when one is given, and undone it is what was stored', () => {
  const nameOf = fc.option(
    fc.oneof(
      fc.constantFrom("G'ulnora", 'Shchedrin', 'Цой', 'Щедрин', "O‘ktam o'g'li", 'Google', 'Soy', 'Сой', ''),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    ),
  );
  const operation = fc
    .tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 }), nameOf, fc.nat({ max: 3 }))
    .map(([kind, at, name, other]) => (shown: Transcript, index: number) => {
      const id = shown.speakers[at % shown.speakers.length]?.id ?? '';
      if (kind === 0) return renameSpeaker(shown, id, name ?? '', 2);
      if (kind === 1) return colourSpeaker(shown, id, (index % 8) + 1);
      if (kind === 2) return addSpeaker(shown, `new${String(index)}`, name ?? '');
      return mergeSpeakers(shown, id, shown.speakers[other % shown.speakers.length]?.id ?? '');
    });
  fc.assert(
    fc.property(
      fc.array(nameOf, { minLength: 1, maxLength: 4 }),
      fc.array(operation, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('cyrillic' as const, 'latin' as const),
      (names, operations, script) => {
        const view = viewInScript(script);
        let stored: Transcript = {
          ...said,
          speakers: names.map((name, at) => ({ id: `p${String(at)}`, name })),
        };
        for (const [index, operate] of operations.entries()) {
          const shown = view.show(stored);
          const made = operate(shown, index);
          if (!made.ok) continue;
          const [done, applied] = [applyChange(shown, made.value), applyChange(stored, view.store(stored, made.value))];
          if (!done.ok || !applied.ok) throw new Error('does not fit');
          for (const { id, name } of done.value.transcript.speakers) {
            const before = shown.speakers.find((one) => one.id === id);
            const [was, is] = [stored, applied.value.transcript].map(
              ({ speakers }) => speakers.find((one) => one.id === id)?.name,
            );
            if (before !== undefined && before.name === name) expect(is).toBe(was);
          }
          const undone = applyChange(applied.value.transcript, applied.value.inverse);
          expect(undone.ok && undone.value.transcript).toEqual(stored);
          expect(undone.ok && view.show(undone.value.transcript).speakers).toEqual(shown.speakers);
          stored = applied.value.transcript;
        }
      },
    ),
    { numRuns: 500 },
  );
});
