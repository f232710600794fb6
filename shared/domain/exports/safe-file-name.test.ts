import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll, forAllIn } from '../../../tests/support/for-all.ts';
import {
  baseName,
  copyName,
  copyNameParts,
  distinctFileName,
  foldedName,
  safeFileName,
  templateFault,
  typedFileName,
  type CopyFacts,
} from './safe-file-name.ts';

const runs = process.env['OVOZ_LONG'] ? 50_000 : 5_000;
const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    ...'CON con.txt COM¹ lpt9.tar CONIN$ .. . ... / \\ a/../b x:ads oʻzbek ʼ a\u0000b \ud800'.split(' '),
    'aux ',
    'ends. ',
    ' .hidden',
    '\u202Egpj.exe',
    '👨‍👩‍👧‍👦'.repeat(60),
    'й'.repeat(300),
  ),
);

describe('file names (P-08)', () => {
  it('are legal on every system, whatever the text', () => {
    forAllIn(runs, nasty, fc.constantFrom('.txt', '.srt', '.vtt', '.json', ''), (text, extension) => {
      const name = safeFileName(text, extension);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      expect(name.length).toBeLessThanOrEqual(240);
      expect(name).toBe(name.normalize('NFC'));
      // oxlint-disable-next-line no-control-regex
      expect(name).not.toMatch(/[<>:"/\\|?*\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u);
      expect(name).not.toMatch(/^\.|[. ]$/u);
      expect(name.split('.')[0]).not.toMatch(/^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/iu);
      expect(name.length - extension.length).toBeGreaterThan(0);
      expect(name.isWellFormed()).toBe(true);
    });
  });

  it('of one export stay distinct on file systems that ignore case and composition', () => {
    const alike = fc.constantFrom('Suhbat', 'suhbat', 'SUHBAT', 'é', 'e\u0301');
    forAllIn(500, fc.array(fc.oneof(nasty, alike), { maxLength: 20 }), (texts) => {
      const taken = new Set<string>();
      for (const text of texts) {
        const name = distinctFileName(text, '.txt', taken);
        expect(taken.has(foldedName(name))).toBe(false);
        taken.add(foldedName(name));
      }
    });
  });

  it('lose only their last extension and their folders', () => {
    const names = ['Suhbat.final.mp3', 'C:\\x\\a.wav', '/tmp/b', '.mp3', 'Dr. Smith talks'];
    expect(names.map(baseName)).toEqual(['Suhbat.final', 'a', 'b', '.mp3', 'Dr. Smith talks']);
  });
});

describe('a typed name', () => {
  it.each([
    ['mysubs', 'mysubs.srt'],
    [' My.Subs.SRT ', 'My.Subs.srt'],
    ['../a/b', '-a-b.srt'],
    ['Nima deyilgan?', 'Nima deyilgan.srt'],
  ])('%s becomes %s: legal, with its extension once', (typed, name) => {
    expect(typedFileName(typed, '.srt')).toBe(name);
  });
});

const facts: CopyFacts = {
  sourceName: 'Suhbat 1.final.mp3',
  finishedAtMs: new Date(2026, 10, 5, 9, 7).getTime(),
  language: 'uz',
  speakerCount: 3,
};

it('the name of a recording is made of the known facts', () => {
  expect(copyName('{date} {name} ({language}, {speakers})', facts, '.srt')).toBe(
    '2026-11-05 Suhbat 1.final (uz, 3).srt',
  );
  expect(copyName('{time}', facts, '.txt')).toBe('09-07.txt');
});

it('folders, devices and empty names can’t be made by a template or a name', () => {
  expect(copyName('../{name}', { ...facts, sourceName: '../../etc/passwd.mp3' }, '.txt')).not.toMatch(/[/\\]/);
  expect(copyName('con', facts, '.txt')).toBe('_con.txt');
  forAll(fc.string(), fc.string(), (template, sourceName) => {
    const name = copyName(template, { ...facts, sourceName }, '.json');
    expect(name.endsWith('.json')).toBe(true);
    expect(name).not.toMatch(/[/\\<>:"|?*]/);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  });
});

it('an invalid template is reported and never prevents an export: the name of the recording is used', () => {
  expect(templateFault('  ')).toEqual({ kind: 'empty' });
  expect(templateFault('a'.repeat(201))).toEqual({ kind: 'too-long' });
  expect(templateFault('{nme}')).toEqual({ kind: 'unknown-part', part: 'nme' });
  expect(copyName('{nme}', facts, '.txt')).toBe('Suhbat 1.final.txt');
  for (const part of copyNameParts) expect(templateFault(`{${part}}`)).toBeNull();
});
