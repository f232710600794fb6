import fc from 'fast-check';
import { expect, it } from 'vitest';
import { copyName, copyNameParts, templateFault, type CopyFacts } from './copy-name.ts';

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
  fc.assert(
    fc.property(fc.string(), fc.string(), (template, sourceName) => {
      const name = copyName(template, { ...facts, sourceName }, '.json');
      expect(name.endsWith('.json')).toBe(true);
      expect(name).not.toMatch(/[/\\<>:"|?*]/);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    }),
  );
});

it('an invalid template is reported and never prevents an export: the name of the recording is used', () => {
  expect(templateFault('  ')).toEqual({ kind: 'empty' });
  expect(templateFault('a'.repeat(201))).toEqual({ kind: 'too-long' });
  expect(templateFault('{nme}')).toEqual({ kind: 'unknown-part', part: 'nme' });
  expect(copyName('{nme}', facts, '.txt')).toBe('Suhbat 1.final.txt');
  for (const part of copyNameParts) expect(templateFault(`{${part}}`)).toBeNull();
});
