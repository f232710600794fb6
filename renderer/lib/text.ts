import { useTranslation } from 'react-i18next';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { oncePerKey } from '../../shared/domain/text/write-locale.ts';
import { createFormats, type Formats } from './formats.ts';

/**
 * The words of the interface. Keys are checked against the catalogues (see `renderer/app/i18next.d.ts`):
 * `const t = useText(); t('transcribe.title')`, with `{ count }` for plurals.
 */
export const useText = () => useTranslation().t;

const formatsOf = oncePerKey((language) => createFormats(language as InterfaceLanguage));

/** The language the interface speaks now. */
export const useInterfaceLanguage = (): InterfaceLanguage => useTranslation().i18n.language as InterfaceLanguage;

/** Numbers, sizes, lengths and dates as the interface's language writes them. */
export const useFormats = (): Formats => formatsOf(useInterfaceLanguage());
