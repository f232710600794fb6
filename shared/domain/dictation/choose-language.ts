import { speechLanguages, type SpeechLanguage } from '../languages.ts';
import { foldText } from '../text/fold-text.ts';

interface LanguageRule {
  readonly program: string;
  readonly language: SpeechLanguage;
}

interface LanguageChoice {
  readonly rules: readonly LanguageRule[];
  readonly followsLayout: boolean;
  readonly chosen: SpeechLanguage;
}

/** X11 layouts whose names are not a language code of ours, and the language typed with them. */
const layoutsOf: Readonly<Record<string, SpeechLanguage>> = { us: 'en', gb: 'en', au: 'en', ca: 'en' };

/** The language of a keyboard layout as X11 names it, such as `ru` or `us(dvorak)`; null for one of another language. */
function languageOfLayout(layout: string): SpeechLanguage | null {
  const [name = ''] = layout.toLowerCase().split(/[^a-z]/);
  return speechLanguages.find((language) => language === name) ?? layoutsOf[name] ?? null;
}

export function ruleFor(program: string, rules: readonly LanguageRule[]): LanguageRule | null {
  const name = foldText(program).text;
  return rules.find((rule) => name.includes(foldText(rule.program).text)) ?? null;
}

/** With a rule in addition; a program that has one already gets the other language, because only its first rule counts. */
export function withRule(rules: readonly LanguageRule[], added: LanguageRule): readonly LanguageRule[] {
  const name = foldText(added.program).text;
  const isSame = (rule: LanguageRule) => foldText(rule.program).text === name;
  return rules.some(isSame)
    ? rules.map((rule) => (isSame(rule) ? { ...rule, language: added.language } : rule))
    : [...rules, added];
}

export function chooseLanguage(
  { rules, followsLayout, chosen }: LanguageChoice,
  program: string | null,
  layout: string | null,
): SpeechLanguage {
  const rule = program === null ? null : ruleFor(program, rules);
  if (rule !== null) return rule.language;
  return (followsLayout && layout !== null ? languageOfLayout(layout) : null) ?? chosen;
}

export const nextLanguage = (language: SpeechLanguage): SpeechLanguage =>
  speechLanguages[(speechLanguages.indexOf(language) + 1) % speechLanguages.length] ?? language;
