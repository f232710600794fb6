import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { baseName, distinctFileName, foldedName, safeFileName, typedFileName } from './safe-file-name.ts';

const folder = mkdtempSync(join(tmpdir(), 'ovoz-names-'));
afterAll(() => rmSync(folder, { recursive: true }));
const runs = process.env['OVOZ_LONG'] ? 50_000 : 5_000;

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    'CON',
    'con.txt',
    'COM¹',
    'lpt9.tar',
    'CONIN$',
    'aux ',
    '..',
    '.',
    '...',
    '/',
    '\\',
    'a/../b',
    'x:ads',
    'ends. ',
    ' .hidden',
    '\u202Egpj.exe',
    'oʻzbek',
    'ʼ',
    '👨‍👩‍👧‍👦'.repeat(60),
    'й'.repeat(300),
    'a\u0000b',
    '\ud800',
  ),
);

describe('file names (P-08)', () => {
  it('are legal on every system, whatever the text', () => {
    fc.assert(
      fc.property(nasty, fc.constantFrom('.txt', '.srt', '.vtt', '.json', ''), (text, extension) => {
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
      }),
      { numRuns: runs },
    );
  });

  it('can be created and found again inside their folder', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const name = safeFileName(text, '.srt');
        writeFileSync(join(folder, name), 'x');
        expect(readdirSync(folder)).toEqual([name]);
        rmSync(join(folder, name));
      }),
      { numRuns: 300 },
    );
  });

  it('of one export stay distinct on file systems that ignore case and composition', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(nasty, fc.constantFrom('Suhbat', 'suhbat', 'SUHBAT', 'é', 'e\u0301')), { maxLength: 20 }),
        (texts) => {
          const taken = new Set<string>();
          for (const text of texts) {
            const name = distinctFileName(text, '.txt', taken);
            expect(taken.has(foldedName(name))).toBe(false);
            taken.add(foldedName(name));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('lose only their last extension and their folders', () => {
    expect(['Suhbat.final.mp3', 'C:\\x\\a.wav', '/tmp/b', '.mp3', 'Dr. Smith talks'].map(baseName)).toEqual([
      'Suhbat.final',
      'a',
      'b',
      '.mp3',
      'Dr. Smith talks',
    ]);
  });
});

describe('a typed name', () => {
  it.each([
    ['mysubs', 'mysubs.srt'],
    ['mysubs.srt', 'mysubs.srt'],
    [' My.Subs.SRT ', 'My.Subs.srt'],
    ['../a/b', '-a-b.srt'],
    ['.srt', 'file.srt'],
  ])('%s becomes %s: legal, with its extension once', (typed, name) => {
    expect(typedFileName(typed, '.srt')).toBe(name);
  });
});
