import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogues } from './catalogues.ts';
import { pseudoCatalogue, pseudoText } from './pseudo.ts';

const { en } = catalogues;

describe('the pseudo-locale', () => {
  it('makes a text at least 35 % longer, in brackets, and keeps its placeholders', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[a-z]{1,8}$/), (text, name) => {
        const plain = text.replaceAll(/[{}]/g, '');
        const made = pseudoText(`${plain}{{${name}}}`);
        expect(made).toContain(`{{${name}}}`);
        if (plain.trim() === '') return;
        expect(made.startsWith('[') && made.endsWith(']')).toBe(true);
        expect(made.length).toBeGreaterThanOrEqual(Math.floor(plain.length * 1.35) + name.length + 4);
      }),
    );
  });

  it('is not much longer either, for texts that are not too short', () => {
    const text = en.welcome.hint;
    expect(pseudoText(text).length / text.length).toBeLessThan(1.4);
  });

  it('leaves a text of nothing but placeholders as it is, and changes every other one', () => {
    expect(pseudoText('{{name}}')).toBe('{{name}}');
    expect(pseudoCatalogue(en).common.cancel).toMatch(/^\[Çàñçèl.*\]$/);
  });
});
