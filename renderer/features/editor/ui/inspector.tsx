import { useDeferredValue, useMemo } from 'react';
import { lengthClock } from '../../../../shared/domain/time/time-code.ts';
import { cx } from '../../../lib/class-names.ts';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Switch } from '../../../ui/switch.tsx';
import { SpeakerMark } from '../../../ui/speaker-mark.tsx';
import { useDocument, useEditor } from '../editor-context.ts';
import { scriptFor } from '../model/letters.ts';
import { listSpeakers, timingOf } from '../model/speaker-list.ts';
import { useTimeWords } from '../time-words.ts';
import css from './inspector.module.css';
import { SegmentList } from './segment-list.tsx';
import colours from './speaker-colours.module.css';

/** Who talks how much, how sure the word times are, and all segments in short. */
export function Inspector() {
  const t = useText();
  const formats = useFormats();
  const transcript = useDeferredValue(useDocument((state) => state.transcript));
  const timing = useMemo(() => timingOf(transcript), [transcript]);
  return (
    <aside className={css['inspector']} aria-label={t('editor.inspector.label')} data-pane="inspector">
      <Speakers />
      <OtherLetters />
      {timing !== 'given' && (
        <p className={css['legend']}>
          {t(timing === 'all-estimated' ? 'editor.text.estimatedAll' : 'editor.text.estimatedSome')}
        </p>
      )}
      <div className={cx(css['section'], css['segments'])}>
        <h2 className={css['heading']}>
          <span>{t('editor.inspector.segments')}</span>
          <span className={css['count']}>{formats.number(transcript.segments.length)}</span>
        </h2>
        <SegmentList />
      </div>
    </aside>
  );
}

/** Uzbek in its other alphabet: what is shown and exported changes, what is stored does not. */
function OtherLetters() {
  const t = useText();
  const { letters } = useEditor();
  const change = useSettingsChange();
  if (letters === null) return null;
  return (
    <div className={css['section']}>
      <Switch
        label={t(`editor.letters.${letters.other}`)}
        hint={t('editor.letters.hint')}
        isOn={letters.isOther}
        onChange={(isOther) => void change({ transcriptScript: scriptFor(letters, isOther) })}
      />
    </div>
  );
}

function Speakers() {
  const t = useText();
  const timeWords = useTimeWords();
  const transcript = useDeferredValue(useDocument((state) => state.transcript));
  const speakers = useMemo(
    () => listSpeakers(transcript, (number) => t('common.speaker', { number })),
    [transcript, t],
  );
  if (speakers.length === 0) return null;
  return (
    <div className={css['section']}>
      <h2 className={css['heading']}>{t('editor.inspector.speakers')}</h2>
      <div aria-hidden className={css['shares']}>
        {speakers.map((speaker) => (
          <i
            key={speaker.id}
            className={colours[`c${String(speaker.colour)}`]}
            style={{ flexGrow: Math.max(0.005, speaker.share) }}
          />
        ))}
      </div>
      <ul className={css['speakers']}>
        {speakers.map((speaker) => (
          <li
            key={speaker.id}
            aria-label={t('editor.inspector.talkTime', { name: speaker.name, time: timeWords(speaker.talkMs) })}
          >
            <SpeakerMark number={speaker.number} name={speaker.name} colour={speaker.colour} />
            <span className={css['talk']}>{lengthClock(speaker.talkMs)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
