import { describe, expect, it } from 'vitest';
import { chooseLanguage, languageOfLayout, nextLanguage, withRule } from './choose-language.ts';

const none = { rules: [], followsLayout: false, chosen: 'uz' } as const;

describe('the spoken language', () => {
  it('is the chosen one, unless the keyboard is followed and has a supported language', () => {
    expect(chooseLanguage(none, 'Telegram', 'ru')).toBe('uz');
    const follows = { ...none, followsLayout: true };
    expect(chooseLanguage(follows, 'Telegram', 'ru')).toBe('ru');
    expect(chooseLanguage(follows, null, 'us(dvorak)')).toBe('en');
    expect(chooseLanguage({ ...follows, chosen: 'ru' }, null, 'uz(latin)')).toBe('uz');
    expect(chooseLanguage(follows, null, 'de')).toBe('uz');
    expect(chooseLanguage(follows, null, null)).toBe('uz');
  });

  it('a program has one rule, however its name is written', () => {
    const rules = [{ program: 'Telegram', language: 'uz' }] as const;
    expect(withRule(rules, { program: 'telegram', language: 'ru' })).toEqual([{ program: 'Telegram', language: 'ru' }]);
    const other = { program: 'Word', language: 'ru' } as const;
    expect(withRule(rules, other)).toEqual([...rules, other]);
  });

  it('in a program with a rule is that of the rule, whatever the keyboard says; the first match counts', () => {
    const rules = [
      { program: 'telegram', language: 'uz' },
      { program: 'Visual Studio', language: 'en' },
      { program: 'Tele', language: 'ru' },
    ] as const;
    const choice = { rules, followsLayout: true, chosen: 'ru' } as const;
    expect(chooseLanguage(choice, 'TelegramDesktop', 'ru')).toBe('uz');
    expect(chooseLanguage(choice, 'main.ts - visual studio code', 'ru')).toBe('en');
    expect(chooseLanguage(choice, 'Firefox', 'uz')).toBe('uz');
  });

  it('is switched in turn by a key', () => {
    const round = nextLanguage(nextLanguage(nextLanguage('uz')));
    expect(round).toBe('uz');
    expect(new Set(['uz', nextLanguage('uz'), nextLanguage(nextLanguage('uz'))]).size).toBe(3);
  });

  it('stays open for a layout of another language', () => {
    expect(languageOfLayout('kz')).toBeNull();
    expect(languageOfLayout('')).toBeNull();
  });
});
