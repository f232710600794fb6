import type { SpeechLanguage } from '../../shared/domain/languages.ts';

/** 3:07, or 1:02:03 from an hour on. */
export function clockTime(ms: number): string {
  const total = Math.round(ms / 1000);
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const tail = String(seconds).padStart(2, '0');
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, '0')}:${tail}`;
}

const notes: Readonly<Record<SpeechLanguage, (from: string, to: string) => string>> = {
  en: (from, to) => `[Practice mode does not recognise speech. Speech heard from ${from} to ${to}.]`,
  ru: (from, to) => `[Учебный режим не распознаёт речь. Речь слышна с ${from} до ${to}.]`,
  uz: (from, to) => `[Mashq rejimi nutqni tanimaydi. Nutq ${from} dan ${to} gacha eshitildi.]`,
};

/** What stands where words would be: that practice mode heard something, and when; never words it did not hear. */
export const practiceNote = (language: SpeechLanguage, startMs: number, endMs: number): string =>
  notes[language](clockTime(startMs), clockTime(endMs));
