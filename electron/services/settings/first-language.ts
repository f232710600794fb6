import { interfaceLanguages, type InterfaceLanguage } from '../../../shared/domain/languages.ts';

/** The interface's language before anyone chose one: the first of the system's that we speak, else English. */
export function firstLanguage(preferred: readonly string[]): InterfaceLanguage {
  const primary = preferred.map((tag) => tag.toLowerCase().split(/[-_]/)[0]);
  return primary.flatMap((tag) => interfaceLanguages.filter((language) => language === tag))[0] ?? 'en';
}
