import type { SpeechLanguage } from '../../../shared/domain/languages.ts';

/** A recording that comes with the app, so that practice mode has something whose words it knows. */
export interface Sample {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly language: SpeechLanguage;
  readonly speakers: number;
}
