import { speechLanguages, type SpeechLanguage } from '../languages.ts';
import { foldText } from '../text/fold-text.ts';

interface LanguageRule {
  /** Words of the name of a program, or of the title of its window. */
  readonly program: string;
  readonly language: SpeechLanguage;
}

interface LanguageChoice {
  readonly rules: readonly LanguageRule[];
  readonly followsLayout: boolean;
  /** What the person chose last. */
  readonly chosen: SpeechLanguage;
}

/** Layouts by the names of X11 that are no language of ours, and what is written with them. */
const layoutsOf: Readonly<Record<string, SpeechLanguage>> = { us: 'en', gb: 'en', au: 'en', ca: 'en' };

/** The language of a keyboard layout as X11 names it, such as `ru` or `us(dvorak)`; null for one of another language. */
export function languageOfLayout(layout: string): SpeechLanguage | null {
  const [name = ''] = layout.toLowerCase().split(/[^a-z]/);
  return speechLanguages.find((language) => language === name) ?? layoutsOf[name] ?? null;
}

/** The rule of a program, by its name or the title of its window. */
export function ruleFor(program: string, rules: readonly LanguageRule[]): LanguageRule | null {
  const name = foldText(program).text;
  return rules.find((rule) => name.includes(foldText(rule.program).text)) ?? null;
}

/** What is spoken: a rule for the program counts most, then the keyboard, then what was chosen last. */
export function chooseLanguage(
  { rules, followsLayout, chosen }: LanguageChoice,
  program: string | null,
  layout: string | null,
): SpeechLanguage {
  const rule = program === null ? null : ruleFor(program, rules);
  if (rule !== null) return rule.language;
  return (followsLayout && layout !== null ? languageOfLayout(layout) : null) ?? chosen;
}

/** The next of the three, for a key that goes round. */
export const nextLanguage = (language: SpeechLanguage): SpeechLanguage =>
  speechLanguages[(speechLanguages.indexOf(language) + 1) % speechLanguages.length] ?? language;
