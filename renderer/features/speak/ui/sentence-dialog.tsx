import { BookA, RotateCcw } from 'lucide-react';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import { findReadings, findUncertain } from '../../../../shared/domain/speech/find-readings.ts';
import { pauseAfter } from '../../../../shared/domain/speech/speech-document.ts';
import { withoutMarks } from '../../../../shared/domain/speech/split-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { InspectorSection } from '../../../ui/panel.tsx';
import { Range, type RangeProps } from '../../../ui/range.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Select } from '../../../ui/select.tsx';
import { useSpeaking, useSpeakState } from '../speak-context.tsx';
import { useVoices } from '../use-voices.ts';
import { PlayButton } from './play-button.tsx';
import css from './sentence-dialog.module.css';

/** What one sentence has of its own: voice, reading, speed, pause, language, note and takes. */
export function SentenceDialog(props: {
  readonly blockId: string;
  readonly onClose: () => void;
  readonly onPronounce: (word: string) => void;
}) {
  const { blockId, onClose, onPronounce } = props;
  const t = useText();
  const formats = useFormats();
  const { store, side } = useSpeaking();
  const document = useSpeakState((state) => state.document);
  const requests = useSpeakState((state) => state.requests);
  const { data } = useVoices();
  const everywhere = useSpeakState((state) => state.pronunciations);
  const index = document?.blocks.findIndex(({ id }) => id === blockId) ?? -1;
  const block = document?.blocks[index];
  const request = requests[index];
  if (document === null || block === undefined || request === undefined) return null;
  const { defaults } = document;
  const patch = (change: Parameters<typeof store.patchBlock>[1]) => store.patchBlock(blockId, change);
  const pauseMs = pauseAfter(block, document);
  const speed = block.speed ?? defaults.speed;
  const words = [...document.pronunciations, ...(everywhere[request.language] ?? [])];
  const uncertain =
    block.readAs === null ? findUncertain(block.text, findReadings(block.text, request.language, words)) : [];
  const voices = (data?.voices ?? []).filter(
    ({ id, languages }) => languages.length === 0 || languages.includes(request.language) || id === request.voiceId,
  );
  const isOwn = block.voiceId !== null || block.speed !== null || block.pauseMs !== null || block.language !== null;
  const close = () => {
    side.stop();
    onClose();
  };
  return (
    <Dialog
      isOpen
      title={t('speak.blocks.selected', { number: index + 1 })}
      onClose={close}
      footer={
        <>
          {isOwn && (
            <Button
              icon={RotateCcw}
              onPress={() => patch({ voiceId: null, speed: null, pauseMs: null, language: null })}
            >
              {t('speak.blocks.asDocument')}
            </Button>
          )}
          <Button variant="primary" onPress={close}>
            {t('speak.pronunciation.done')}
          </Button>
        </>
      }
    >
      {voices.length > 0 && (
        <Select
          label={t('speak.blocks.voiceOf')}
          value={request.voiceId}
          options={voices.map(({ id, name }) => ({ value: id, text: name }))}
          onChange={(id) => patch({ voiceId: id === defaults.voiceId ? null : id })}
        />
      )}
      <label className={css['reading']}>
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
        <div className={css['uncertain']}>
          <p className={css['hint']}>{t('speak.blocks.check')}</p>
          {uncertain.map((word) => (
            <Button
              key={word}
              size="sm"
              icon={BookA}
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
        value={speed}
        min={0.5}
        max={2}
        step={0.05}
        valueText={t('speak.times', { value: formats.factor(speed) })}
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
      <Segmented
        size="sm"
        isLabelShown
        label={t('speak.blocks.language')}
        value={request.language}
        options={speechLanguages.map((one) => ({ value: one, text: one.toUpperCase(), lang: one }))}
        onChange={(language) => patch({ language, voiceId: null })}
      />
      <label className={css['reading']}>
        <span>{t('speak.blocks.comment')}</span>
        <textarea
          rows={2}
          maxLength={2000}
          value={block.comment ?? ''}
          onChange={({ target: { value } }) => patch({ comment: value === '' ? null : value })}
        />
      </label>
      <Takes blockId={blockId} />
    </Dialog>
  );
}

function Slider(props: RangeProps) {
  return (
    <>
      <div className={css['head']}>
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
      {kept.length === 0 && <p className={css['hint']}>{t('speak.blocks.noTakes')}</p>}
      <ul className={css['takes']}>
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
            <span className={css['take']}>
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
      {kept.length > 0 && <p className={css['hint']}>{t('speak.blocks.takesKept')}</p>}
    </InspectorSection>
  );
}
