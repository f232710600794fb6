import { describe, expect, it } from 'vitest';
import { clockTime, practiceNote } from './texts.ts';

describe('the note in place of words', () => {
  it('gives times as people read them', () => {
    expect([0, 6900, 67_000, 3_600_000, 3_723_000].map(clockTime)).toEqual([
      '0:00',
      '0:07',
      '1:07',
      '1:00:00',
      '1:02:03',
    ]);
  });

  it('says in each language that nothing was recognised', () => {
    expect(practiceNote('en', 3000, 7000)).toBe(
      '[Practice mode does not recognise speech. Speech heard from 0:03 to 0:07.]',
    );
    expect(practiceNote('ru', 3000, 7000)).toBe('[Учебный режим не распознаёт речь. Речь слышна с 0:03 до 0:07.]');
    expect(practiceNote('uz', 3000, 7000)).toBe('[Mashq rejimi nutqni tanimaydi. Nutq 0:03 dan 0:07 gacha eshitildi.]');
  });
});
