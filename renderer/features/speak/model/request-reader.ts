import { requestOf, type SpeechRequest } from '../../../../shared/domain/speech/blocks.ts';
import { applyReadings, findReadings, type Pronunciation } from '../../../../shared/domain/speech/find-readings.ts';
import type { SpeechDocument } from '../../../../shared/domain/speech/speech-document.ts';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';

/** Words of all texts, by language. */
export type Pronunciations = Readonly<Partial<Record<SpeechLanguage, readonly Pronunciation[]>>>;

/** The requests for the blocks of a document. Unchanged sentences are not processed again with every key. */
export function createRequestReader() {
  let own: readonly Pronunciation[] = [];
  let shared: Pronunciations = {};
  let spoken = new Map<string, string>();
  return (document: SpeechDocument, everywhere: Pronunciations): readonly SpeechRequest[] => {
    if (document.pronunciations !== own || everywhere !== shared) spoken = new Map();
    own = document.pronunciations;
    shared = everywhere;
    return document.blocks.map((block) =>
      requestOf(block, document.defaults, (text, language) => {
        const key = `${language}\n${text}`;
        const known = spoken.get(key);
        if (known !== undefined) return known;
        const list = [...own, ...(shared[language] ?? [])];
        const read = applyReadings(text, findReadings(text, language, list));
        spoken.set(key, read);
        return read;
      }),
    );
  };
}
