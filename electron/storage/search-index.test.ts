import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wordsOfNumberedSpeaker } from '../../shared/domain/search/search-query.ts';
import { openSearchIndex, type SearchIndex } from './search-index.ts';
import { folderOfTest } from '../../tests/support/test-folders.ts';

let folder: string;
let index: SearchIndex;
beforeEach(() => {
  newestFirst = [];
  folder = folderOfTest();
  index = openSearchIndex(join(folder, 'search.db'));
});
afterEach(() => {
  index.close();
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
    expect(idsOf('Rishtonda moviy')).toEqual(['b', 'a']);
    expect(find('Rishtonda moviy').items.map(({ moments }) => moments.map(({ startMs }) => startMs))).toEqual([
      [0, 2000],
      [3000],
    ]);
    expect(find('Rishtonda moviy').items.map(({ isApart }) => isApart)).toEqual([true, false]);
    expect(idsOf('"Rishtonda loy" "esa moviy"')).toEqual(['b']);
    expect(idsOf('"Rishtonda moviy" sir')).toEqual([]);
    expect(idsOf('kulolchilik sir')).toEqual(['a']);
    expect(idsOf('osmon gap')).toEqual([]);
  });

  it('finds titles, and a speaker without a name by what the screen calls it, in every language, and not by its figure alone', () => {
    put('a', 'Margʻilon', ['Bugun havo issiq.'], [...wordsOfNumberedSpeaker(1), ...wordsOfNumberedSpeaker(2)]);
    expect(find('маргилон').items[0]).toMatchObject({ id: 'a', titleRanges: [[0, 9]], moments: [], momentCount: 0 });
    put('b', 'Suhbat', ['speaker 2 keldi'], wordsOfNumberedSpeaker(1));
    for (const typed of ['2-soʻzlovchi', 'Говорящий 2', '2-сўзловчи']) expect(idsOf(typed), typed).toEqual(['a']);
    expect(idsOf('Speaker 2')).toEqual(['b', 'a']);
    expect(idsOf('Speaker 2 havo')).toEqual(['a']);
    expect(idsOf('1')).toEqual([]);
  });

  it('returns results in the requested order, a few moments of each with their number, and only of the requested items', () => {
    const texts = Array.from({ length: 5 }, (_, part) => `anor ${String(part)}`);
    for (let at = 0; at < 30; at += 1) put(`t${String(at)}`, 'Suhbat', texts);
    const { items, momentCount, itemCount } = find('anor');
    expect(items.map(({ id }) => id).slice(0, 3)).toEqual(['t29', 't28', 't27']);
    expect(items[0]).toMatchObject({ momentCount: 5, moments: [{ startMs: 0 }, { startMs: 1000 }, { startMs: 2000 }] });
    expect([items.length, momentCount, itemCount]).toEqual([20, 150, 30]);
    expect(find('anor', ['t3', 't4']).items.map(({ id }) => id)).toEqual(['t3', 't4']);
    put('t2', 'Suhbat', ['anor']);
    put('t7', 'Suhbat', ['anor', 'anor', 'anor', 'anor', 'anor', 'anor']);
    expect(find('anor', ['t2', 't3', 't7'], true).items.map(({ id }) => id)).toEqual(['t7', 't3', 't2']);
  });

  it('treats whatever is typed as words and nothing else', () => {
    put('a', 'Suhbat', ['anor']);
    for (const typed of ['"', '*', 'anor"', '( ) AND OR NOT', "'; DROP TABLE items", 'folded:anor', 'a'.repeat(5000)])
      expect(() => find(typed)).not.toThrow();
    expect(idsOf('anor')).toEqual(['a']);
  });
});

describe('the index', () => {
  it('keeps items apart when an edit adds as many moments as there is room for, fewer or more, or takes some away', () => {
    for (let count = 1; count < 20; count += 1) {
      put(`a${String(count)}`, 'Suhbat', ['qisqa']);
      put(`b${String(count)}`, 'Keyingi', ['gap']);
      put(`a${String(count)}`, 'Suhbat', Array<string>(count).fill(`uzun${String(count)}`));
      expect(find(`uzun${String(count)}`)).toMatchObject({ itemCount: 1, momentCount: count });
      expect(find('keyingi').itemCount).toBe(count);
    }
    put('a9', 'Suhbat', ['gap yana']);
    index.remove('transcript', ['b3']);
    expect([idsOf('uzun9'), find('gap').itemCount, find('gap').momentCount]).toEqual([[], 19, 19]);
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
