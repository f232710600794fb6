import { CircleAlert, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { foreignBlocks, type SpeechBlock } from '../../../../shared/domain/speech/blocks.ts';
import { foldText } from '../../../../shared/domain/text/fold-text.ts';
import type { SpeechVoice } from '../../../../shared/domain/speech/voices.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Range } from '../../../ui/range.tsx';
import { Select } from '../../../ui/select.tsx';
import { useSpeaking, useSpeakState } from '../speak-context.tsx';
import { useVoices } from '../use-voices.ts';
import { VoiceFilters, VoiceLanguages, VoicesNotice, type VoiceFilter } from '../voices/voice-filters.tsx';
import css from './voice-panel.module.css';
import { sampleOf, VoiceRow } from './voice-row.tsx';

const filters: readonly VoiceFilter[] = ['favourites', 'recent', 'own', 'female', 'male'];
const mostRecent = 8;

/** Speed and voice of the text. */
export function VoicePanel() {
  const t = useText();
  const formats = useFormats();
  const { store } = useSpeaking();
  const defaults = useSpeakState((state) => state.document?.defaults);
  if (defaults === undefined) return null;
  const { speed } = defaults;
  return (
    <>
      <section className={css['section']}>
        <div className={css['speedHead']}>
          <span>{t('speak.speed')}</span>
          <b>{t('speak.times', { value: formats.factor(speed) })}</b>
        </div>
        <div className={css['speed']}>
          <span aria-hidden>{formats.number(0.5)}</span>
          <Range
            label={t('speak.speed')}
            value={speed}
            min={0.5}
            max={2}
            step={0.05}
            valueText={t('speak.times', { value: formats.factor(speed) })}
            onChange={(value) => {
              store.setDefaults({ speed: Number(value.toFixed(2)) });
            }}
          />
          <span aria-hidden>2</span>
        </div>
        <p className={css['hint']}>{t('speak.speedFree')}</p>
      </section>
      <OtherVoices />
      <VoiceList
        language={defaults.language}
        voiceId={defaults.voiceId}
        onLanguage={(language) => {
          store.setDefaults({ language, voiceId: '' });
        }}
        onVoice={({ id }) => {
          store.setDefaults({ voiceId: id });
        }}
      />
    </>
  );
}

/** The voices for other languages in the text; sentences use them according to their words. */
function OtherVoices() {
  const t = useText();
  const { store } = useSpeaking();
  const { data } = useVoices();
  const defaults = useSpeakState((state) => state.document?.defaults);
  const blocks = useSpeakState((state) => state.document?.blocks ?? none);
  const own = defaults?.language ?? 'uz';
  const present = useMemo(
    () =>
      new Set([
        ...blocks.map((block) => block.language),
        ...foreignBlocks(blocks, { language: own, otherVoices: {} }).map((found) => found.language),
      ]),
    [blocks, own],
  );
  const otherVoices = defaults?.otherVoices ?? {};
  const chosen = speechLanguages.filter((one) => otherVoices[one] !== undefined && present.has(one));
  if (chosen.length === 0) return null;
  return (
    <section className={css['section']} aria-label={t('speak.foreign.voices')}>
      <h3 className={css['otherHead']}>{t('speak.foreign.voices')}</h3>
      {chosen.map((language) => (
        <div key={language} className={css['other']}>
          <Select
            label={t(`common.languageNames.${language}`)}
            value={otherVoices[language] ?? ''}
            options={[
              { value: '', text: t('speak.foreign.main') },
              ...(data?.voices ?? [])
                .filter(({ id, languages }) => languages.includes(language) || id === otherVoices[language])
                .map(({ id, name }) => ({ value: id, text: name })),
            ]}
            onChange={(id) => store.setOtherVoice(language, id)}
          />
        </div>
      ))}
      <p className={css['hint']}>{t('speak.foreign.hint')}</p>
    </section>
  );
}
const none: readonly SpeechBlock[] = [];

export interface VoiceListProps {
  readonly language: SpeechLanguage;
  readonly voiceId: string;
  readonly onLanguage: (language: SpeechLanguage) => void;
  readonly onVoice: (voice: SpeechVoice) => void;
}

/** Voices of a language with search and filters; each can be played before it is chosen. */
export function VoiceList({ language, voiceId, onLanguage, onVoice }: VoiceListProps) {
  const t = useText();
  const { mode } = useConnection();
  const { store } = useSpeaking();
  const { data, error, isLoading, refetch } = useVoices();
  const marks = useSpeakState((state) => state.marks);
  const [search, setSearch] = useState('');
  const [on, setOn] = useState<ReadonlySet<VoiceFilter>>(new Set());
  const inLanguage = useMemo(
    () => (data?.voices ?? []).filter(({ languages }) => languages.length === 0 || languages.includes(language)),
    [data, language],
  );
  const shown = inLanguage.filter(
    (voice) =>
      foldText(`${voice.name} ${voice.description ?? ''}`).text.includes(foldText(search.trim()).text) &&
      (!on.has('own') || voice.isOwn) &&
      (!on.has('female') || voice.gender === 'female') &&
      (!on.has('male') || voice.gender === 'male') &&
      (!on.has('favourites') || marks.favourites.includes(voice.id)) &&
      (!on.has('recent') || marks.recent.includes(voice.id)),
  );
  const sampleLength = Array.from(sampleOf(language)).length;
  const chooseVoice = (voice: SpeechVoice) => {
    store.setMarks({
      ...marks,
      recent: [voice.id, ...marks.recent.filter((id) => id !== voice.id)].slice(0, mostRecent),
    });
    onVoice(voice);
  };
  const isGone = data !== undefined && voiceId !== '' && !data.voices.some(({ id }) => id === voiceId);
  return (
    <section className={css['voices']} aria-label={t('speak.voices.title')}>
      <div className={css['section']}>
        <Field
          type="search"
          icon={Search}
          label={t('speak.voices.title')}
          placeholder={t('speak.voices.search', { count: inLanguage.length })}
          value={search}
          onChange={setSearch}
        />
        <VoiceLanguages label={t('speak.voices.language')} language={language} onLanguage={onLanguage} />
        <VoiceFilters filters={filters} on={on} onFilters={setOn} />
      </div>
      <div className={css['notice']}>
        <VoicesNotice data={data} error={error} refetch={refetch} />
      </div>
      {isGone && (
        <div className={css['notice']}>
          <Banner tone="warn" icon={CircleAlert} title={t('speak.voices.gone')} />
        </div>
      )}
      {isLoading && <p className={css['hint']}>{t('speak.voices.loading')}</p>}
      <ul className={css['list']} aria-label={t('speak.voices.title')}>
        {shown.map((voice) => (
          <VoiceRow
            key={voice.id}
            voice={voice}
            language={language}
            isChosen={voice.id === voiceId}
            onChoose={() => {
              chooseVoice(voice);
            }}
          />
        ))}
      </ul>
      {data !== undefined && shown.length === 0 && (
        <p className={css['hint']}>
          {t('speak.voices.none')}{' '}
          <Button
            size="sm"
            variant="ghost"
            onPress={() => {
              setSearch('');
              setOn(new Set());
            }}
          >
            {t('speak.voices.showAll')}
          </Button>
        </p>
      )}
      {shown.length > 0 && !modeOf(mode).isFree && (
        <p className={css['hint']}>{t('speak.voices.firstCost', { count: sampleLength })}</p>
      )}
    </section>
  );
}
