import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../result/result.ts';
import { applyChange, type Change, type EditRefusal } from './change.ts';
import { viewInScript, type ScriptView } from './edit-in-script.ts';
import { markWords } from './edit-marks.ts';
import {
  deleteSegments,
  mergeSegments,
  moveEdgeRippling,
  moveSharedEdge,
  replaceText,
  replaceTexts,
} from './edit-segments.ts';
import { splitSegment } from './split-segment.ts';
import { replaceStretch } from './replace-stretch.ts';
import type { Segment, Transcript } from './transcript.ts';

const segmentOf = (id: string, words: readonly string[], startMs = 0): Segment => ({
  id,
  speakerId: 'a',
  startMs,
  endMs: startMs + words.length * 100,
  text: words.join(' '),
  words: words.map((text, at) => ({ text, startMs: startMs + at * 100, endMs: startMs + at * 100 + 90 })),
});
const transcriptOf = (...segments: readonly Segment[]): Transcript => ({
  language: 'uz',
  durationMs: 600_000,
  speakers: [{ id: 'a', name: 'Dilnoza Karimova' }],
  segments,
});

/** An edit of the text as it is shown, done to the stored one as the editor does it. */
function edit(
  view: ScriptView,
  stored: Transcript,
  operation: (shown: Transcript) => Result<Change, EditRefusal>,
): Transcript {
  const made = operation(view.show(stored));
  if (!made.ok) throw new Error(made.error);
  const applied = applyChange(stored, view.store(stored, made.value));
  if (!applied.ok) throw new Error(applied.error);
  return applied.value.transcript;
}
/** What the first segment is stored as when its shown text is replaced. */
const typed = (words: string, written: string): string | undefined =>
  edit(viewInScript('cyrillic'), transcriptOf(segmentOf('s1', words.split(' '))), (shown) =>
    replaceText(shown, 's1', written),
  ).segments[0]?.text;

describe('a text that is corrected in other letters than it is stored in', () => {
  it('keeps the stored spelling of every word that was not touched, also where punctuation was', () => {
    const words = "Sentyabr oyida bo'ldi boʻldi bog', 'kitob' va Google";
    const shown = "Сентябрь ойида бўлди бўлди боғ, 'китоб' ва Гоогле";
    expect(typed(words, `${shown} салом`)).toBe(`${words} salom`);
    expect(typed(words, 'Сентябрь, (ойида бўлди бўлди боғ китоб» ва Гоогле!')).toBe(
      "Sentyabr, (oyida bo'ldi boʻldi bog' kitob» va Google!",
    );
    expect(typed(words, shown.replace('ойида бўлди', 'кунида'))).toBe("Sentyabr kunida boʻldi bog', 'kitob' va Google");
  });

  it.each([
    ['Ўзбекистон тўғри', 'Oʻzbekiston toʻgʻri'],
    ['ЎЗБЕК Шоир ШОИР Чой Ёз ЁЗ', 'OʻZBEK Shoir SHOIR Choy Yoz YOZ'],
    ['эълон маъно Исҳоқ санъат', 'eʼlon maʼno Isʼhoq sanʼat'],
    ['ер кема поэма объект меъёр', 'yer kema poema obyekt meʼyor'],
    ['йўл ёш юлдуз яхши', 'yoʻl yosh yulduz yaxshi'],
    ['цирк, милиция; акция концертлар', 'sirk, militsiya; aksiya konsertlar'],
    ['компьютер батальон октябрь премьера', 'kompyuter batalyon oktabr premyera'],
    ['щётка сыр', 'shyotka sir'],
    ['«2026-йил», (5 та) 3,5%', '«2026-yil», (5 ta) 3,5%'],
    ['Google ва YouTubeда', 'Google va YouTubeda'],
    ['ҳам', 'ham'],
    ["g'oya, ma`no 'kelding'", "gʻoya, maʼno 'kelding'"],
    ["'qachon kelding' ва tog'", "'qachon kelding' va togʻ"],
  ])('stores %s as %s', (written, latin) => {
    expect(typed('bir', written)).toBe(latin);
  });

  it('shows what was typed as it was typed, letter by letter, also where its letters are stored as others', () => {
    const view = viewInScript('cyrillic');
    let now = transcriptOf(segmentOf('s1', ['bu']));
    for (let length = 1; length <= 5; length += 1) {
      const written = `бу ${'щётка'.slice(0, length)}`;
      now = edit(view, now, (shown) => replaceText(shown, 's1', written));
      expect(view.show(now).segments[0]?.text).toBe(written);
    }
    expect(now.segments[0]?.text).toBe('bu shyotka');
    expect(viewInScript('cyrillic').show(now).segments[0]?.text).toBe('бу шётка');
  });

  it('shows what was typed as it was typed after its times were shifted, and after that was undone', () => {
    const view = viewInScript('cyrillic');
    const states = [transcriptOf(segmentOf('s1', ['bir']), segmentOf('s2', ['bu'], 10_000))];
    const shownNow = () => view.show(states.at(-1) ?? transcriptOf()).segments[1];
    const write = (text: string) => {
      states.push(edit(view, states.at(-1) ?? transcriptOf(), (shown) => replaceText(shown, 's2', text)));
    };
    write('бу щётка');
    write('бу шётка');
    // Undoing puts back the very segment of before, whose stored letters are the same.
    states.push(states.at(-2) ?? transcriptOf());
    expect(shownNow()?.text).toBe('бу щётка');
    for (const byMs of [700, -700]) {
      const applied = applyChange(states.at(-1) ?? transcriptOf(), [{ type: 'shift', from: 1, byMs }]);
      if (!applied.ok) throw new Error(applied.error);
      states.push(applied.value.transcript);
      expect(shownNow()?.text).toBe('бу щётка');
      expect(shownNow()?.words[0]?.startMs).toBe(states.at(-1)?.segments[1]?.words[0]?.startMs);
    }
    write('бу щётка ва');
    expect(states.at(-1)?.segments[1]?.text).toBe('bu shyotka va');
  });

  it('shows what was typed in the stored letters in those of the view once it is settled, and stores nothing else', () => {
    const view = viewInScript('cyrillic');
    const start = transcriptOf(segmentOf('s1', ['bu']), segmentOf('s2', ['Google'], 10_000));
    const now = edit(view, start, (shown) => replaceText(shown, 's1', 'бу щётка, oktyabr yozuv'));
    expect(now.segments[0]?.text).toBe('bu shyotka, oktyabr yozuv');
    expect(view.show(now).segments[0]?.text).toBe('бу щётка, oktyabr yozuv');
    expect(view.settle(now, 's1')).toBe(true);
    expect(view.show(now).segments.map(({ text }) => text)).toEqual(['бу щётка, октябрь ёзув', 'Гоогле']);
    expect(view.show(now).segments[0]?.words.map(({ text }) => text)).toEqual(['бу', 'щётка,', 'октябрь', 'ёзув']);
    expect(view.settle(now, 's1')).toBe(false);
    const next = edit(view, now, (shown) => replaceText(shown, 's1', 'бу щётка, октябрь ёзув эди'));
    expect(next.segments[0]?.text).toBe('bu shyotka, oktyabr yozuv edi');
    // Undone and done again.
    expect(view.show(start).segments[0]?.text).toBe('бу');
    expect(view.show(now).segments[0]?.text).toBe('бу щётка, октябрь ёзув');
  });

  it('is corrected in Latin letters too, where it is stored in Cyrillic', () => {
    const view = viewInScript('latin');
    const stored = transcriptOf(segmentOf('s1', ['Щётка', 'ва', 'сыр']));
    const after = edit(view, stored, (shown) => replaceText(shown, 's1', 'Shyotka va qoʻshni sir'));
    expect(after.segments[0]?.text).toBe('Щётка ва қўшни сыр');
  });

  it('keeps its lines, marks and times, and the words that go to another segment', () => {
    const view = viewInScript('cyrillic');
    const first = { ...segmentOf('s1', ['sentyabr', "bo'ldi", 'oktyabr']), text: "sentyabr bo'ldi\noktyabr" };
    const stored = transcriptOf(first, segmentOf('s2', ['noyabr', "ma'no"], 1000));
    const marked = edit(view, stored, (shown) => markWords(shown, [{ segmentId: 's1', from: 1, to: 2 }], 'cut'));
    expect(marked.segments[0]).toEqual({
      ...first,
      words: first.words.map((word, at) => (at === 1 ? { ...word, mark: 'cut' } : word)),
    });
    const split = edit(view, stored, (shown) => splitSegment(shown, 's1', 'сентябрь '.length, 's3'));
    expect(split.segments.map(({ text }) => text)).toEqual(['sentyabr', "bo'ldi\noktyabr", "noyabr ma'no"]);
    expect(split.segments.flatMap(({ words }) => words)).toEqual(stored.segments.flatMap(({ words }) => words));
    const merged = edit(view, split, (shown) => mergeSegments(shown, 's3', 's2'));
    expect(merged.segments[1]?.text).toBe("bo'ldi\noktyabr noyabr ma'no");
    const stretch = edit(view, merged, (shown) =>
      replaceStretch(
        shown,
        { segmentId: 's1', offset: 4 },
        { segmentId: 's3', offset: 'бўлди\nоктябрь '.length },
        'а ',
      ),
    );
    expect(stretch.segments.map(({ text }) => text)).toEqual(["senta noyabr ma'no"]);
    const gone = edit(view, merged, (shown) => deleteSegments(shown, new Set(['s1'])));
    expect(gone.segments).toEqual(merged.segments.slice(1));
  });

  /** Spellings of which some do not survive the way there and back; no two are shown alike. */
  const latin = fc.constantFrom(
    ..."sentyabr bo'ldi Google o‘zi, shchotka (yozgi) ma'no MA`NO qogʻoz! uy-joy 25 «kitob» va Windows Привет bog' tsex".split(
      ' ',
    ),
  );
  const words = fc.uniqueArray(latin, { minLength: 1, maxLength: 8 });
  const cyrillicWord = fc.stringMatching(/^[а-яёўқғҳ]{1,8}$/u);
  const place = fc.nat({ max: 60 });

  it('commutes: what is shown after an edit is the edit of what was shown, and undone it is what was stored', () => {
    const operation = fc.oneof(
      fc.tuple(place, place, cyrillicWord).map(([a, b, written]) => (shown: Transcript) => {
        const text = shown.segments[0]?.text ?? '';
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        return replaceText(shown, 's1', text.slice(0, from) + written + text.slice(to));
      }),
      place.map((at) => (shown: Transcript) => splitSegment(shown, 's1', at, `s${String(shown.segments.length + 1)}`)),
      fc.constant((shown: Transcript) => mergeSegments(shown, 's1', 's2')),
      fc.tuple(fc.constantFrom('start', 'end'), fc.nat({ max: 12_000 })).map(
        ([edge, toMs]) =>
          (shown: Transcript) =>
            moveEdgeRippling(shown, edge === 'start' ? 's2' : 's1', edge, toMs),
      ),
      fc.nat({ max: 12_000 }).map((toMs) => (shown: Transcript) => moveSharedEdge(shown, 's1', toMs)),
      fc.constant((shown: Transcript) => deleteSegments(shown, new Set(['s2']))),
      fc.tuple(place, place, cyrillicWord).map(
        ([from, to, written]) =>
          (shown: Transcript) =>
            replaceStretch(shown, { segmentId: 's1', offset: from }, { segmentId: 's2', offset: to }, written),
      ),
      cyrillicWord.map(
        (written) => (shown: Transcript) =>
          replaceTexts(shown, new Map(shown.segments.map(({ id, text }) => [id, `${written} ${text}`]))),
      ),
    );
    fc.assert(
      fc.property(words, words, fc.array(operation, { minLength: 1, maxLength: 4 }), (one, other, operations) => {
        const view = viewInScript('cyrillic');
        let stored = transcriptOf(segmentOf('s1', one), segmentOf('s2', other, 10_000));
        for (const operate of operations) {
          const made = operate(view.show(stored));
          if (!made.ok) continue;
          const shown = applyChange(view.show(stored), made.value);
          const applied = applyChange(stored, view.store(stored, made.value));
          if (!shown.ok || !applied.ok) throw new Error('does not fit');
          expect(view.show(applied.value.transcript)).toEqual(shown.value.transcript);
          const undone = applyChange(applied.value.transcript, applied.value.inverse);
          expect(undone.ok && undone.value.transcript).toEqual(stored);
          stored = applied.value.transcript;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps text and times of all words around an edit exactly, wherever it is', () => {
    fc.assert(
      fc.property(words, fc.nat(), cyrillicWord, fc.boolean(), (one, at, written, isInserted) => {
        const view = viewInScript('cyrillic');
        const stored = transcriptOf(segmentOf('s1', one));
        const index = at % one.length;
        const shown = view.show(stored).segments[0]?.words.map(({ text }) => text) ?? [];
        fc.pre(!shown.includes(written));
        const after = edit(view, stored, (now) =>
          replaceText(now, 's1', shown.toSpliced(index, isInserted ? 0 : 1, written).join(' ')),
        );
        const own = stored.segments[0]?.words ?? [];
        const kept = after.segments[0]?.words ?? [];
        expect(kept.slice(0, index)).toEqual(own.slice(0, index));
        expect(kept.slice(index + 1)).toEqual(own.slice(isInserted ? index : index + 1));
      }),
      { numRuns: 500 },
    );
  });

  it('changes nothing where nothing is edited', () => {
    fc.assert(
      fc.property(words, (one) => {
        const view = viewInScript('cyrillic');
        const stored = transcriptOf(segmentOf('s1', one));
        const [shown] = view.show(stored).segments;
        expect(replaceText(view.show(stored), 's1', shown?.text ?? '').ok).toBe(false);
        const [step] = view.store(stored, [{ type: 'set', segments: shown === undefined ? [] : [{ ...shown }] }]);
        expect(step).toEqual({ type: 'set', segments: stored.segments });
      }),
    );
  });
});
