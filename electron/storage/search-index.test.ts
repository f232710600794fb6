import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wordsOfNumberedSpeaker } from '../../shared/domain/search/search-query.ts';
import { openSearchIndex, type SearchIndex } from './search-index.ts';

let folder: string;
let index: SearchIndex;
beforeEach(() => {
  newestFirst = [];
  folder = mkdtempSync(join(tmpdir(), 'search-'));
  index = openSearchIndex(join(folder, 'search.db'));
});
afterEach(() => {
  index.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = (id: string, title: string, texts: readonly string[], speakers: readonly string[] = []) => {
  newestFirst = [id, ...newestFirst.filter((one) => one !== id)];
  index.put([
    {
      kind: 'transcript',
      id,
      version: '1',
      title,
      speakers,
      moments: texts.map((text, at) => ({ startMs: at * 1000, text })),
    },
  ]);
};
/** The indexed ids, newest first, as the library asks for them. */
let newestFirst: string[] = [];
const find = (text: string, among: readonly string[] = newestFirst, isByMoments = false) =>
  index.search({ text, among: among.map((id) => `transcript:${id}`), mostItems: 20, isByMoments });
const idsOf = (text: string) => find(text).items.map(({ id }) => id);
const marked = (text: string) =>
  find(text).items.flatMap(({ moments }) =>
    moments.flatMap((moment) => moment.ranges.map(([start, end]) => moment.text.slice(start, end))),
  );

describe('the search', () => {
  const written = ['boʻyoq', "bo'yoq", 'bo‘yoq', 'bo’yoq', 'bo`yoq', 'boyoq', 'бўёқ', 'BOʻYOQ', 'БЎЁҚ'];

  it('finds a word in every way it can be written by every other, and marks it', () => {
    for (const [at, form] of written.entries()) put(`t${String(at)}`, 'Suhbat', [`Eski ${form}lar vaqt oʻtgan sari.`]);
    for (const form of written) {
      expect(idsOf(form).toSorted()).toEqual(written.map((_, at) => `t${String(at)}`));
      expect(marked(form).toSorted()).toEqual(written.toSorted());
    }
  });

  it('marks all of a word that begins with ye, in both alphabets', () => {
    put('latin', 'Suhbat', ['Men yetti yoshimda.']);
    put('cyrillic', 'Suhbat', ['Мен етти ёшимда.']);
    for (const form of ['yetti', 'етти', 'йетти', 'yett'])
      expect(marked(form), form).toEqual(form === 'yett' ? ['етт', 'yett'] : ['етти', 'yetti']);
  });

  it('finds surnames on -oyev, -ayev and -iyev however they are spelt, and by any beginning of them', () => {
    const spelt = ['Oʻrinboyev', "O'rinboyev", 'Orinboev', 'Ўринбоев', 'ЎРИНБОЕВ'];
    for (const [at, form] of spelt.entries()) put(`t${String(at)}`, 'Suhbat', [`Fermer ${form}ning bogʻi.`]);
    for (const form of spelt) {
      expect(idsOf(form), form).toHaveLength(spelt.length);
      expect(marked(form).toSorted(), form).toEqual(spelt.toSorted());
    }
    for (const begun of ['Oʻrinboy', 'Ўринбо', 'Ўринбое', 'oʻrinboye']) expect(idsOf(begun), begun).toContain('t0');
    put('names', 'Ismlar', ['Abdullayev, Xudoyberdiyev, obyekt']);
    put('имена', 'Исмлар', ['Абдуллаев, Худойбердиев, объект']);
    for (const form of ['Абдуллаев', 'Abdullaev', 'Худойбердиев', 'Xudoyberdiev', 'объект', 'obyekt'])
      expect(idsOf(form), form).toEqual(['имена', 'names']);
  });

  it('returns the first words of an item, or those from a time on, as they are written', () => {
    put('a', 'Suhbat', ['Assalomu alaykum.', 'Boʻyoq haqida.', 'Rahmat.']);
    put('b', 'Boshqa', ['Hech narsa.']);
    const textsOf = (id: string, fromMs: number) =>
      index.read({ kind: 'transcript', id }, fromMs).map(({ text }) => text);
    expect(textsOf('a', 0)).toEqual(['Assalomu alaykum.', 'Boʻyoq haqida.', 'Rahmat.']);
    expect(textsOf('a', 1000)).toEqual(['Boʻyoq haqida.', 'Rahmat.']);
    put('a', 'Suhbat', ['Boshqa soʻz.']);
    expect(textsOf('a', 0)).toEqual(['Boshqa soʻz.']);
    expect(textsOf('c', 0)).toEqual([]);
  });

  it('takes ё and е for one letter, whichever is written and whichever is looked for', () => {
    put('yo', 'Разговор', ['Ёлка ещё зелёная.']);
    put('ye', 'Разговор', ['Елка еще зеленая.']);
    for (const form of ['ёлка', 'елка', 'ЕЛКА', 'зеленая', 'зелёная', '"елка еще"', '"ёлка ещё"'])
      expect(idsOf(form), form).toEqual(['ye', 'yo']);
    expect(marked('елка')).toEqual(['Елка', 'Ёлка']);
  });

  it('finds prefixes, several words in any order, and phrases only word for word', () => {
    put('a', 'Birinchi', ['Qizil anor poʻsti', 'sariq boʻyoq beradi']);
    put('b', 'Ikkinchi', ['poʻsti qizil boʻlgan anor']);
    expect(idsOf('qiz')).toEqual(['b', 'a']);
    expect(idsOf('anor qizil')).toEqual(['b', 'a']);
    expect(idsOf('"qizil anor"')).toEqual(['a']);
    expect(idsOf('"qizil ano"')).toEqual([]);
  });

  it('finds words that are in different moments of one item, by the first moment of each, and none in different items', () => {
    put('a', 'Kulolchilik', ['Rishtonda tugʻilganman.', 'Boshqa gap.', 'Moviy sir.', 'Yana Rishtonda, moviysiz gap.']);
    put('b', 'Boshqa', ['Rishtonda boʻlganman.', 'Rishtonda loy bor.', 'Rang esa moviy.']);
    put('c', 'Uchinchi', ['Moviy osmon.']);
    put('d', 'Toʻrtinchi', ['Rishtonda hech kim yoʻq.']);
    expect(idsOf('Rishtonda moviy')).toEqual(['b', 'a']);
    expect(find('Rishtonda moviy').items.map(({ moments }) => moments.map(({ startMs }) => startMs))).toEqual([
      [0, 2000],
      [3000],
    ]);
    expect(idsOf('"Rishtonda tugʻilganman" sir')).toEqual(['a']);
    expect(idsOf('"Rishtonda loy" "esa moviy"')).toEqual(['b']);
    expect(idsOf('"Rishtonda moviy" sir')).toEqual([]);
    expect(idsOf('kulolchilik sir')).toEqual(['a']);
    expect(idsOf('osmon kim')).toEqual([]);
    expect(find('Rishtonda moviy', ['a', 'c', 'd']).itemCount).toBe(1);
  });

  it('finds titles and speakers, and distinguishes moments from them', () => {
    put('a', 'Margʻilon bozori', ['Bugun havo issiq.'], ['Dilnoza Karimova']);
    expect(find('маргилон').items[0]).toMatchObject({ id: 'a', titleRanges: [[0, 9]], moments: [], momentCount: 0 });
    expect(idsOf('каримова')).toEqual(['a']);
  });

  it('finds a speaker without a name by what the screen calls it, in every language, and not by its figure alone', () => {
    put(
      'a',
      'Dars',
      ['Bugun havo issiq.'],
      [...wordsOfNumberedSpeaker(1), ...wordsOfNumberedSpeaker(2), 'lesson-6.wav'],
    );
    put('b', 'Suhbat', ['speaker 2 keldi'], wordsOfNumberedSpeaker(1));
    for (const typed of ['2-soʻzlovchi', "so'zlovchi 2", 'Говорящий 2', '2-сўзловчи'])
      expect(idsOf(typed), typed).toEqual(['a']);
    expect(idsOf('Speaker 2')).toEqual(['b', 'a']);
    expect(idsOf('Speaker 2 havo')).toEqual(['a']);
    expect(idsOf('speak')).toEqual(['b', 'a']);
    expect(idsOf('1')).toEqual([]);
    expect(idsOf('lesson-6')).toEqual(['a']);
  });

  it('returns results in the requested order, a few moments of each with their number, and only of the requested items', () => {
    for (let at = 0; at < 30; at += 1)
      put(
        `t${String(at)}`,
        'Suhbat',
        Array.from({ length: 5 }, (_, part) => `anor ${String(part)}`),
      );
    const { items, momentCount, itemCount } = find('anor');
    expect(items.map(({ id }) => id).slice(0, 3)).toEqual(['t29', 't28', 't27']);
    expect(items[0]).toMatchObject({ momentCount: 5, moments: [{ startMs: 0 }, { startMs: 1000 }, { startMs: 2000 }] });
    expect([items.length, momentCount, itemCount]).toEqual([20, 150, 30]);
    expect(find('anor', ['t3', 't4']).items.map(({ id }) => id)).toEqual(['t3', 't4']);
    put('t2', 'Suhbat', ['anor']);
    put('t7', 'Suhbat', ['anor', 'anor', 'anor', 'anor', 'anor', 'anor']);
    expect(find('anor', ['t2', 't3', 't7'], true).items.map(({ id }) => id)).toEqual(['t7', 't3', 't2']);
  });

  it.each(['"', '*', 'anor"', '( ) AND OR NOT', "'; DROP TABLE items", 'folded:anor', '…', 'long'])(
    'treats %s as words and nothing else',
    (typed) => {
      put('a', 'Suhbat', ['anor']);
      expect(() => find(typed === 'long' ? 'a'.repeat(5000) : typed)).not.toThrow();
      expect(idsOf('anor')).toEqual(['a']);
    },
  );

  it('offers the nearest word for one that does not occur', () => {
    put('a', 'Suhbat', ['kulolchilik ustaxonasi', 'kulolchilik']);
    expect(find('kulolchilk').nearest).toEqual({ text: 'kulolchilik', momentCount: 2 });
    expect(find('xyzzyqwe').nearest).toBeNull();
  });
});

describe('the index', () => {
  it('forgets the old words of an item that is indexed again', () => {
    put('a', 'Suhbat', ['anor']);
    put('a', 'Suhbat', ['olma']);
    expect([idsOf('anor'), idsOf('olma')]).toEqual([[], ['a']]);
  });

  it('keeps items apart when one of them outgrows its space, or shrinks', () => {
    for (const id of ['a', 'b', 'c']) put(id, `Suhbat ${id}`, [`gap ${id}`]);
    const long = Array.from({ length: 500 }, (_, at) => `uzun ${String(at)}`);
    put('a', 'Suhbat a', long);
    expect(find('uzun')).toMatchObject({
      momentCount: 500,
      items: [{ id: 'a', moments: [{ text: 'uzun 0' }, {}, {}] }],
    });
    expect(find('gap').items.map(({ id, momentCount }) => [id, momentCount])).toEqual([
      ['c', 1],
      ['b', 1],
    ]);
    put('a', 'Suhbat a', ['gap yana']);
    index.remove('transcript', ['b']);
    expect(find('uzun').itemCount).toBe(0);
    expect(idsOf('gap').toSorted()).toEqual(['a', 'c']);
  });

  it('keeps an item out of the next one when an edit adds as many moments as there is room for, or one fewer or more', () => {
    for (let count = 1; count < 20; count += 1) {
      put(`a${String(count)}`, 'Suhbat', ['qisqa']);
      put(`b${String(count)}`, 'Keyingi', ['gap']);
      put(`a${String(count)}`, 'Suhbat', Array<string>(count).fill(`uzun${String(count)}`));
      expect(find(`uzun${String(count)}`)).toMatchObject({ itemCount: 1, momentCount: count });
      expect(find('keyingi').itemCount).toBe(count);
    }
  });

  it('leaves nothing readable of what was erased', () => {
    put('a', 'Maxfiysarlavha', ['maxfiysoz aytildi'], ['Maxfiyism']);
    put('b', 'Suhbat', ['boshqa gap']);
    const files = () =>
      ['search.db', 'search.db-wal'].map((name) => readFileSync(join(folder, name)).toString('latin1')).join('');
    expect(files()).toContain('maxfiysoz');
    index.erase(['a']);
    expect(files().toLowerCase()).not.toContain('maxfiy');
    expect(idsOf('boshqa')).toEqual(['b']);
  });

  it('is rebuilt when it is damaged', () => {
    put('a', 'Suhbat', ['anor']);
    index.close();
    const path = join(folder, 'search.db');
    writeFileSync(path, 'this is no database, and never was one; it only stands where one was');
    index = openSearchIndex(path);
    expect(index.versions('transcript').size).toBe(0);
    put('a', 'Suhbat', ['anor']);
    expect(idsOf('anor')).toEqual(['a']);
  });
});
