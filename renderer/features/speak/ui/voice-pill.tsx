import { ChevronDown } from 'lucide-react';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import type { SpeechVoice } from '../../../../shared/domain/speech/voices.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useRunCommand } from '../../../lib/commands.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { Range } from '../../../ui/range.tsx';
import { Select } from '../../../ui/select.tsx';
import { useSpeaking, useSpeakState } from '../speak-context.tsx';
import { languageOf, previewId, sampleOf, usePreview } from '../use-preview.ts';
import { useVoices } from '../use-voices.ts';
import { ownNames, VoicesNotice } from '../voices/voice-filters.tsx';
import { PlayButton } from './play-button.tsx';
import { lookOf, Orb } from './voice-orb.tsx';
import css from './voice-pill.module.css';

/** The others are one press away, in Voices. */
const fewVoices = 6;

/** Who reads the text, and how fast. */
export function VoicePill() {
  const t = useText();
  const formats = useFormats();
  const run = useRunCommand();
  const { store } = useSpeaking();
  const { mode } = useConnection();
  const defaults = useSpeakState((state) => state.document?.defaults);
  const favourites = useSpeakState((state) => state.marks.favourites);
  const { data, error, isLoading, refetch } = useVoices();
  if (defaults === undefined) return null;
  const { language, voiceId, otherVoices } = defaults;
  const voices = data?.voices ?? [];
  const chosen = voices.find(({ id }) => id === voiceId);
  const fits = ({ languages }: SpeechVoice) => languages.length === 0 || languages.includes(language);
  const rankOf = (one: SpeechVoice) =>
    (one === chosen ? 0 : 8) + (fits(one) ? 0 : 4) + (favourites.includes(one.id) ? 0 : 2) + (one.isOwn ? 0 : 1);
  const few = new Set(voices.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, fewVoices));
  const isWhole = voices.length <= fewVoices || modeOf(mode).origin === 'local';
  const listed = voices.filter((one) => isWhole || few.has(one)).toSorted((a, b) => Number(fits(b)) - Number(fits(a)));
  const others = speechLanguages.filter((one) => one !== language && otherVoices[one] !== undefined);
  const speed = t('speak.times', {
    value: formats.fixed(defaults.speed, Number.isInteger(defaults.speed * 10) ? 1 : 2),
  });
  const name = chosen?.name ?? (voiceId === '' || isLoading ? t('speak.voices.title') : voiceId);
  return (
    <Popover
      label={t('speak.settings')}
      placement="bottom start"
      className={css['popover']}
      trigger={
        <PressButton className={css['pill']} label={`${t('speak.settings')}: ${name} ${speed}`}>
          <Orb size="sm" look={lookOf(chosen ?? { id: voiceId })} />
          <b aria-hidden className="cut medium">
            {name}
          </b>{' '}
          <span aria-hidden className="small subtle">
            {speed}
          </span>
          <ChevronDown aria-hidden size={14} />
        </PressButton>
      }
    >
      <VoicesNotice data={data} error={error} refetch={refetch} />
      {isLoading && <p className={css['hint']}>{t('speak.voices.loading')}</p>}
      <ul aria-label={t('speak.voices.title')}>
        {listed.map((voice) => (
          <VoiceRow key={voice.id} voice={voice} isFit={fits(voice)} isChosen={voice === chosen} />
        ))}
      </ul>
      {!isWhole && (
        <Button size="sm" variant="ghost" onPress={() => run('section.voices')}>
          {t('speak.allVoices')}
        </Button>
      )}
      {voices.length > 0 && !modeOf(mode).isFree && (
        <p className={css['hint']}>{t('speak.voices.firstCost', { count: Array.from(sampleOf(language)).length })}</p>
      )}
      <div className={css['part']}>
        <div className="flex between">
          <b>{t('speak.speed')}</b>
          <span>{speed}</span>
        </div>
        <Range
          label={t('speak.speed')}
          value={defaults.speed}
          min={0.5}
          max={2}
          step={0.05}
          valueText={speed}
          onChange={(value) => store.setDefaults({ speed: Number(value.toFixed(2)) })}
        />
        <p className={css['hint']}>{t('speak.speedFree')}</p>
      </div>
      {others.length > 0 && (
        <section className={css['part']} aria-label={t('speak.foreign.voices')}>
          <b>{t('speak.foreign.voices')}</b>
          {others.map((other) => (
            <Select
              key={other}
              label={t(`common.languageNames.${other}`)}
              value={otherVoices[other] ?? ''}
              options={[
                { value: '', text: t('speak.foreign.main') },
                ...voices
                  .filter(({ id, languages }) => languages.includes(other) || id === otherVoices[other])
                  .map((one) => ({ value: one.id, text: one.name })),
              ]}
              onChange={(id) => store.setOtherVoice(other, id)}
            />
          ))}
        </section>
      )}
    </Popover>
  );
}

/** A voice of another language makes the text one of that language. */
function VoiceRow(props: { readonly voice: SpeechVoice; readonly isFit: boolean; readonly isChosen: boolean }) {
  const { voice, isFit, isChosen } = props;
  const t = useText();
  const { store } = useSpeaking();
  const preview = usePreview();
  const textLanguage = useSpeakState((state) => state.document?.defaults.language ?? 'uz');
  const { id, name } = voice;
  const language = isFit ? textLanguage : languageOf(voice);
  return (
    <li className={cx(css['row'], isChosen && css['chosen'])}>
      <PressButton
        isPressed={isChosen}
        onPress={() => {
          store.markRecent(id);
          store.setDefaults({ voiceId: id, language });
        }}
      >
        <Orb size="sm" look={lookOf(voice)} />
        <b className="cut medium">{name}</b>
        <span className="small subtle" lang={language}>
          {voice.isOwn ? t('speak.voices.own') : ownNames[language]}
        </span>
      </PressButton>
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
