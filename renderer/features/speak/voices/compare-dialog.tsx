import { Play, Square } from 'lucide-react';
import { useState } from 'react';
import { requestIdentity } from '../../../../shared/domain/speech/blocks.ts';
import type { SpeechVoice } from '../../../../shared/domain/speech/voices.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useText } from '../../../lib/text.ts';
import { LanguageTag } from '../../../ui/chip.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { usePlayerState, useSpeaking, useSpeakState } from '../speak-context.tsx';
import { ListenButton } from '../ui/play-button.tsx';
import { lookOf, Orb } from '../ui/voice-orb.tsx';
import { requestOfPreview, sampleOf, usePreview, type Preview, languageOf, useKnownPreviews } from '../use-preview.ts';
import css from './voices-screen.module.css';

const longest = 300;

export function CompareDialog(props: {
  readonly voices: readonly SpeechVoice[];
  readonly onUse: (voice: SpeechVoice) => void;
  readonly onClose: () => void;
}) {
  const { voices, onUse, onClose } = props;
  const t = useText();
  const { mode } = useSettings();
  const { side } = useSpeaking();
  const [text, setText] = useState(() => sampleOf(languageOf(voices[0] ?? { languages: [] })));
  const known = useSpeakState((state) => state.byIdentity);
  const isSounding = usePlayerState(side, ({ status }) => status !== 'idle');
  const preview = usePreview();
  const sentence = text.trim();
  const previewOf = (voice: SpeechVoice): Preview => ({
    voiceId: voice.id,
    language: languageOf(voice),
    text: sentence,
  });
  const previews = sentence === '' ? [] : voices.map(previewOf);
  useKnownPreviews(previews);
  const isFree = (one: Preview) => known.get(requestIdentity(requestOfPreview(one)))?.state === 'made';
  const count = previews.filter((one) => !isFree(one)).length * Array.from(sentence).length;
  const speaksOne = voices.every((voice) => languageOf(voice) === languageOf(voices[0] ?? voice));
  const close = () => {
    side.stop();
    onClose();
  };
  return (
    <Dialog
      isOpen
      width="md"
      title={t('voices.compareTitle')}
      onClose={close}
      footer={
        <>
          <span className={css['footNote']}>
            {modeOf(mode).isFree
              ? t('voices.practiceFree')
              : count === 0
                ? t('voices.allFree')
                : t('voices.toPay', { count })}
          </span>
          <Button onPress={close}>{t('common.close')}</Button>
          {isSounding ? (
            <Button icon={Square} onPress={() => side.stop()}>
              {t('voices.stop')}
            </Button>
          ) : (
            <Button variant="primary" icon={Play} isDisabled={sentence === ''} onPress={() => preview(previews)}>
              {t('voices.playAll')}
            </Button>
          )}
        </>
      }
    >
      <Field
        label={t('voices.sentence')}
        hint={t(speaksOne ? 'voices.compareHint' : 'voices.compareLanguages')}
        value={text}
        onChange={(value) => setText(value.slice(0, longest))}
      />
      <ul className={css['rows']}>
        {voices.map((voice) => {
          const { id, name } = voice;
          const language = languageOf(voice);
          return (
            <li key={id}>
              <Orb look={lookOf(voice)} />
              <span className={css['cardWords']}>
                <span className={css['name']}>{name}</span>
                <span className={css['about']}>
                  {modeOf(mode).isFree || sentence === ''
                    ? ''
                    : isFree(previewOf(voice))
                      ? t('voices.ready')
                      : t('voices.notYet', { count: Array.from(sentence).length })}
                </span>
              </span>
              <LanguageTag code={language} name={t(`common.languageNames.${language}`)} />
              <ListenButton preview={previewOf(voice)} name={name}>
                {t('voices.listen')}
              </ListenButton>
              <Button
                size="sm"
                label={t('voices.useAs', { name })}
                onPress={() => {
                  close();
                  onUse(voice);
                }}
              >
                {t('voices.useInSpeak')}
              </Button>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}
