import { CircleAlert, Search, Star, BookA, RotateCcw, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { foreignBlocks, type SpeechBlock } from '../../../../shared/domain/speech/blocks.ts';
import type { SpeechVoice } from '../../../../shared/domain/speech/voices.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { findReadings, findUncertain } from '../../../../shared/domain/speech/find-readings.ts';
import { pauseAfter } from '../../../../shared/domain/speech/speech-document.ts';
import { withoutMarks } from '../../../../shared/domain/speech/split-text.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Range, type RangeProps } from '../../../ui/range.tsx';
import { Select } from '../../../ui/select.tsx';
import { cx } from '../../../lib/class-names.ts';
import { Chip, LanguageTag } from '../../../ui/chip.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { InspectorSection } from '../../../ui/panel.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { useSpeaking, useSpeakState } from '../speak-context.tsx';
import { useVoices } from '../use-voices.ts';
import { VoiceFilters, VoiceLanguages, VoicesNotice, voiceFilter, type VoiceFilter } from '../voices/voice-filters.tsx';
import { previewId, sampleOf, usePreview } from '../use-preview.ts';
import css from './voice-panel.module.css';
import { PlayButton } from './play-button.tsx';
import { lookOf, Orb } from './voice-orb.tsx';
import inspectorCss from './block-inspector.module.css';

const filters: readonly VoiceFilter[] = ['favourites', 'recent', 'own', 'female', 'male'];

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
            onChange={(value) => store.setDefaults({ speed: Number(value.toFixed(2)) })}
          />
          <span aria-hidden>2</span>
        </div>
        <p className={css['hint']}>{t('speak.speedFree')}</p>
      </section>
      <OtherVoices />
      <VoiceList
        language={defaults.language}
        voiceId={defaults.voiceId}
        onLanguage={(language) => store.setDefaults({ language, voiceId: '' })}
        onVoice={({ id }) => store.setDefaults({ voiceId: id })}
      />
    </>
  );
}

function OtherVoices() {
  const t = useText();
  const { store } = useSpeaking();
  const { data } = useVoices();
  const defaults = useSpeakState((state) => state.document?.defaults);
  const blocks = useSpeakState((state) => state.document?.blocks ?? none);
  const own = defaults?.language ?? 'uz';
  const present = useMemo(() => {
    const foreign = foreignBlocks(blocks, { language: own, otherVoices: {} });
    return new Set([...blocks, ...foreign].map(({ language }) => language));
  }, [blocks, own]);
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

function VoiceList(props: {
  readonly language: SpeechLanguage;
  readonly voiceId: string;
  readonly onLanguage: (language: SpeechLanguage) => void;
  readonly onVoice: (voice: SpeechVoice) => void;
}) {
  const { language, voiceId, onLanguage, onVoice } = props;
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
  const shown = inLanguage.filter(voiceFilter(search, on, marks));
  const sampleLength = Array.from(sampleOf(language)).length;
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
              store.markRecent(voice.id);
              onVoice(voice);
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

function VoiceRow(props: {
  readonly voice: SpeechVoice;
  readonly language: SpeechLanguage;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const { voice, language, isChosen, onChoose } = props;
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

export function FavouriteButton({ voice: { id, name } }: { readonly voice: SpeechVoice }) {
  const t = useText();
  const { store } = useSpeaking();
  const isFavourite = useSpeakState(({ marks }) => marks.favourites.includes(id));
  return (
    <IconButton
      size="sm"
      icon={Star}
      className={isFavourite ? css['favourite'] : undefined}
      label={t(isFavourite ? 'speak.voices.removeFavourite' : 'speak.voices.addFavourite', { name })}
      onPress={() => store.toggleFavourite(id)}
    />
  );
}

export function BlockInspector(props: {
  readonly blockId: string;
  readonly onLeave: () => void;
  readonly onPronounce: (word: string) => void;
}) {
  const { blockId, onLeave, onPronounce } = props;
  const t = useText();
  const formats = useFormats();
  const { store } = useSpeaking();
  const document = useSpeakState((state) => state.document);
  const requests = useSpeakState((state) => state.requests);
  const { data } = useVoices();
  const everywhere = useSpeakState((state) => state.pronunciations);
  const index = document?.blocks.findIndex(({ id }) => id === blockId) ?? -1;
  const block = document?.blocks[index];
  const request = requests[index];
  if (document === null || block === undefined || request === undefined) return <VoicePanel />;
  const patch = (change: Parameters<typeof store.patchBlock>[1]) => store.patchBlock(blockId, change);
  const pauseMs = pauseAfter(block, document);
  const words = [...document.pronunciations, ...(everywhere[request.language] ?? [])];
  const uncertain =
    block.readAs === null ? findUncertain(block.text, findReadings(block.text, request.language, words)) : [];
  const voices = (data?.voices ?? []).filter(
    ({ id, languages }) => languages.length === 0 || languages.includes(request.language) || id === request.voiceId,
  );
  const setVoice = (id: string) => patch({ voiceId: id === document.defaults.voiceId ? null : id });
  const isOwn = block.voiceId !== null || block.speed !== null || block.pauseMs !== null || block.language !== null;
  return (
    <>
      <InspectorSection title={t('speak.blocks.selected', { number: index + 1 })}>
        <div className={inspectorCss['buttons']}>
          <Button size="sm" icon={X} className={inspectorCss['wrapping']} onPress={onLeave}>
            {t('speak.blocks.leave')}
          </Button>
          {isOwn && (
            <Button
              size="sm"
              icon={RotateCcw}
              className={inspectorCss['wrapping']}
              onPress={() => patch({ voiceId: null, speed: null, pauseMs: null, language: null })}
            >
              {t('speak.blocks.asDocument')}
            </Button>
          )}
        </div>
        {voices.length > 0 && (
          <Select
            label={t('speak.blocks.voiceOf')}
            value={request.voiceId}
            options={voices.map(({ id, name }) => ({ value: id, text: name }))}
            onChange={setVoice}
          />
        )}
        <label className={inspectorCss['reading']}>
          <span>{t('speak.blocks.readAs')}</span>
          <textarea
            rows={3}
            lang={request.language}
            spellCheck={false}
            value={request.text}
            onChange={({ target: { value } }) => {
              if (value.trim() !== '') patch({ readAs: value === withoutMarks(block.text) ? null : value });
            }}
          />
        </label>
        {block.readAs !== null && (
          <Button size="sm" variant="ghost" onPress={() => patch({ readAs: null })}>
            {t('speak.blocks.resetReading')}
          </Button>
        )}
        {uncertain.length > 0 && (
          <div className={inspectorCss['uncertain']}>
            <p className={inspectorCss['hint']}>{t('speak.blocks.check')}</p>
            {uncertain.map((word) => (
              <Button
                key={word}
                size="sm"
                icon={BookA}
                className={inspectorCss['wrapping']}
                label={t('speak.blocks.pronounce', { word })}
                onPress={() => onPronounce(word)}
              >
                {word}
              </Button>
            ))}
          </div>
        )}
        <Slider
          label={t('speak.speed')}
          value={request.speed}
          min={0.5}
          max={2}
          step={0.05}
          valueText={t('speak.times', { value: formats.factor(request.speed) })}
          onChange={(value) => patch({ speed: Number(value.toFixed(2)) })}
        />
        <Slider
          label={t('speak.blocks.pauseAfter')}
          value={pauseMs / 1000}
          min={0}
          max={5}
          step={0.1}
          valueText={t('speak.secondsOf', { value: formats.factor(pauseMs / 1000) })}
          onChange={(value) => patch({ pauseMs: Math.round(value * 1000) })}
        />
        <p className={inspectorCss['hint']}>{t('speak.blocks.pauseFree')}</p>
        <Segmented
          size="sm"
          isLabelShown
          label={t('speak.blocks.language')}
          value={request.language}
          options={speechLanguages.map((one) => ({ value: one, text: one.toUpperCase(), lang: one }))}
          onChange={(language) => patch({ language, voiceId: null })}
        />
        <label className={inspectorCss['reading']}>
          <span>{t('speak.blocks.comment')}</span>
          <textarea
            rows={2}
            maxLength={2000}
            value={block.comment ?? ''}
            onChange={({ target: { value } }) => patch({ comment: value === '' ? null : value })}
          />
        </label>
      </InspectorSection>
      <Takes blockId={blockId} />
      <p className={inspectorCss['hint']}>{t('speak.blocks.voiceHere', { number: index + 1 })}</p>
      <VoiceList
        language={request.language}
        voiceId={request.voiceId}
        onLanguage={(language) => patch({ language, voiceId: null })}
        onVoice={({ id }) => setVoice(id)}
      />
    </>
  );
}

function Slider(props: RangeProps) {
  return (
    <>
      <div className={inspectorCss['head']}>
        <span>{props.label}</span>
        <b>{props.valueText}</b>
      </div>
      <Range {...props} />
    </>
  );
}

function Takes({ blockId }: { readonly blockId: string }) {
  const t = useText();
  const formats = useFormats();
  const { store, side } = useSpeaking();
  const block = useSpeakState((state) => state.document?.blocks.find(({ id }) => id === blockId));
  const takes = useSpeakState((state) => state.takes);
  const { data } = useVoices();
  if (block === undefined) return null;
  const kept = block.takeIds.flatMap((id, at) => {
    const take = takes.get(id);
    return take === undefined ? [] : [{ take, number: at + 1 }];
  });
  return (
    <InspectorSection title={t('speak.blocks.takes')}>
      {kept.length === 0 && <p className={inspectorCss['hint']}>{t('speak.blocks.noTakes')}</p>}
      <ul className={inspectorCss['takes']}>
        {kept.toReversed().map(({ take, number }) => (
          <li key={take.id}>
            <PlayButton
              size="sm"
              partId={take.id}
              name={t('speak.blocks.take', { number })}
              label={t('speak.blocks.playTake', { number })}
              stopLabel={`${t('speak.stop')}: ${t('speak.blocks.take', { number })}`}
              onPlay={() => side.start([{ id: take.id, url: take.mediaUrl, pauseMs: 0 }])}
            />
            <span className={inspectorCss['take']}>
              <b>{t('speak.blocks.take', { number })}</b> {formats.time(take.createdAtMs)}
              <small>
                {[
                  data?.voices.find(({ id }) => id === take.voiceId)?.name ?? take.voiceId,
                  t('speak.times', { value: formats.factor(take.speed) }),
                  ...(take.durationMs === null ? [] : [formats.duration(take.durationMs)]),
                ].join(' · ')}
              </small>
            </span>
            {take.id === block.takeId ? (
              <Chip tone="accent">{t('speak.blocks.inUse')}</Chip>
            ) : (
              <Button
                size="sm"
                onPress={() => {
                  // Locked, because an older take may have other words or settings than the current ones.
                  store.patchBlock(blockId, { takeId: take.id, isLocked: true });
                }}
              >
                {t('speak.blocks.use')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {kept.length > 0 && <p className={inspectorCss['hint']}>{t('speak.blocks.takesKept')}</p>}
    </InspectorSection>
  );
}
