import { Star } from 'lucide-react';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';
import type { SpeechVoice } from '../../../../shared/domain/speech/voices.ts';
import { cx } from '../../../lib/class-names.ts';
import { useText } from '../../../lib/text.ts';
import { Chip, LanguageTag } from '../../../ui/chip.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { useSpeaking, useSpeakState } from '../speak-context.tsx';
import { previewId, usePreview } from '../use-preview.ts';
import { PlayButton } from './play-button.tsx';
import css from './voice-panel.module.css';
import { lookOf, Orb } from './voice-orb.tsx';

/** The same sentence for every voice of a language, so that they can be compared. */
const samples: Readonly<Record<SpeechLanguage, string>> = {
  uz: 'Assalomu alaykum. Bu ovoz shunday eshitiladi.',
  ru: 'Здравствуйте. Так звучит этот голос.',
  en: 'Hello. This is how this voice sounds.',
};
export const sampleOf = (language: SpeechLanguage): string => samples[language];

/** A voice to be chosen, marked or heard. */
export function VoiceRow({
  voice,
  language,
  isChosen,
  onChoose,
}: {
  readonly voice: SpeechVoice;
  readonly language: SpeechLanguage;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const t = useText();
  const preview = usePreview();
  const { id, name, gender } = voice;
  const about =
    voice.description ??
    (voice.isOwn
      ? t('speak.voices.ownVoice')
      : gender === 'female'
        ? t('speak.voices.genderFemale')
        : gender === 'male'
          ? t('speak.voices.genderMale')
          : '');
  return (
    <li className={cx(css['row'], isChosen && css['chosen'])}>
      <PressButton className={css['choose']} isPressed={isChosen} onPress={onChoose}>
        <Orb look={lookOf(voice)} />
        <span className={css['words']}>
          <span className={css['name']}>
            {name} {voice.isOwn && <Chip>{t('speak.voices.own')}</Chip>}
          </span>
          <span className={css['about']}>{about}</span>
        </span>
        <LanguageTag code={language} name={t(`common.languageNames.${language}`)} />
      </PressButton>
      <FavouriteButton voice={voice} />
      <PlayButton
        size="sm"
        partId={previewId(id)}
        name={name}
        label={t('speak.voices.preview', { name })}
        stopLabel={t('speak.voices.stopPreview', { name })}
        onPlay={() => preview([{ voiceId: id, language, text: sampleOf(language) }])}
      />
    </li>
  );
}

/** Marks a voice as a favourite, or no longer. */
export function FavouriteButton({ voice: { id, name } }: { readonly voice: SpeechVoice }) {
  const t = useText();
  const { store } = useSpeaking();
  const marks = useSpeakState((state) => state.marks);
  const isFavourite = marks.favourites.includes(id);
  return (
    <IconButton
      size="sm"
      icon={Star}
      className={isFavourite ? css['favourite'] : undefined}
      label={t(isFavourite ? 'speak.voices.removeFavourite' : 'speak.voices.addFavourite', { name })}
      onPress={() => {
        const favourites = isFavourite ? marks.favourites.filter((one) => one !== id) : [...marks.favourites, id];
        store.setMarks({ ...marks, favourites });
      }}
    />
  );
}
