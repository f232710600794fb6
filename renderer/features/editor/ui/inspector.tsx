import { useQuery } from '@tanstack/react-query';
import { Plus, GitCompareArrows, FolderOpen, Replace, CloudUpload } from 'lucide-react';
import { useMemo, type KeyboardEvent, useDeferredValue, useState } from 'react';
import { useLocation } from 'wouter';
import { isTextName } from '../../../../shared/domain/imports/read-subtitles.ts';
import { expectedCredits } from '../../../../shared/domain/ledger/expected-cost.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { lengthClock } from '../../../../shared/domain/time/time-code.ts';
import { isBesideOtherEdge } from '../../../../shared/domain/transcript/edit-segments.ts';
import { useSettings, useConnection } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useCreditRate } from '../../../bridge/use-credits.ts';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useAvailability, useRunCommand } from '../../../lib/commands.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useChooseMode } from '../../../parts/connection/connection-form.tsx';
import { findProfile, profilesQuery } from '../../../parts/exports/profile-of.ts';
import { Button } from '../../../ui/button.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { Switch } from '../../../ui/switch.tsx';
import {
  useChecksCaptions,
  useDocument,
  useEditor,
  useEditorState,
  useHasSegments,
  useSegments,
  useTargetPlace,
  useTimeWords,
  useBackToText,
} from '../editor-context.ts';
import type { Edge } from '../model/edge-at.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { moveEdgeTo, stepOf } from '../use-editor-keys.ts';
import { inspectorPanels, type InspectorPanel } from '../model/editor-store.ts';
import { listSpeakers, spokenBy, timingOf } from '../model/speaker-list.ts';
import { useSync } from '../queries.ts';
import { CommentList } from './comments.tsx';
import { CommandButton } from './command-button.tsx';
import { FindPanel } from './find-panel.tsx';
import css from './inspector.module.css';
import notices from './notices.module.css';
import { SpeakerMenu, tint } from './speaker-menu.tsx';
import { TimeField } from './time-field.tsx';
import { namesAreWritten } from '../../../../shared/domain/exports/subtitles.ts';
import { useCaptionFile } from './use-caption-problems.ts';
import { useStopNotice } from '../use-editor-notice.ts';

/** The transcript whose order goes on once the service is in use: a change of the mode opens the screen anew. */
let ordersNext: string | null = null;

export function Inspector() {
  const t = useText();
  const { store } = useEditor();
  const panel = useEditorState((state) => state.panel);
  const isSpellingFailed = useEditorState((state) => state.isSpellingFailed);
  const timing = useDocument(({ transcript }) => timingOf(transcript));
  return (
    <aside
      className={css['inspector']}
      aria-label={t('editor.inspector.label')}
      data-pane="inspector"
      data-notice-corner
    >
      <Tabs panel={panel} onPanel={store.showPanel} />
      {/* The key makes each panel begin at its top, wherever the last one was scrolled to. */}
      <div
        key={panel}
        id="inspector-panel"
        role="tabpanel"
        aria-labelledby={`inspector-${panel}`}
        className={css['panel']}
      >
        {panel === 'find' && <FindPanel />}
        {panel === 'speakers' && <Speakers />}
        {panel === 'info' && (
          <>
            <SegmentTimes />
            <CommentList />
            <Facts />
            <CaptionRules />
            <AccountText />
          </>
        )}
        {isSpellingFailed && <output className={css['legend']}>{t('editor.spelling.failed')}</output>}
        {panel !== 'find' && timing !== 'given' && (
          <p className={css['legend']}>
            {t(timing === 'all-estimated' ? 'editor.text.estimatedAll' : 'editor.text.estimatedSome')}
          </p>
        )}
      </div>
      <TranscribeByService />
    </aside>
  );
}

function Tabs({
  panel,
  onPanel,
}: {
  readonly panel: InspectorPanel;
  readonly onPanel: (panel: InspectorPanel) => void;
}) {
  const t = useText();
  const move = (event: KeyboardEvent<HTMLElement>, by: number) => {
    const next =
      inspectorPanels[(inspectorPanels.indexOf(panel) + by + inspectorPanels.length) % inspectorPanels.length];
    if (next === undefined) return;
    event.preventDefault();
    onPanel(next);
    event.currentTarget.querySelector<HTMLElement>(`#inspector-${next}`)?.focus();
  };
  return (
    <div
      role="tablist"
      tabIndex={-1}
      aria-label={t('editor.inspector.label')}
      className={css['tabs']}
      onKeyDown={(event) => {
        if (event.key === 'ArrowRight') move(event, 1);
        else if (event.key === 'ArrowLeft') move(event, -1);
      }}
    >
      {inspectorPanels.map((one) => (
        <button
          key={one}
          id={`inspector-${one}`}
          type="button"
          role="tab"
          aria-selected={one === panel}
          aria-controls="inspector-panel"
          tabIndex={one === panel ? 0 : -1}
          className={css['tab']}
          onClick={() => onPanel(one)}
        >
          {t(`editor.inspector.tabs.${one}`)}
        </button>
      ))}
    </div>
  );
}

function CaptionRules() {
  const t = useText();
  const { store } = useEditor();
  const isOn = useChecksCaptions();
  const { options, facts } = useCaptionFile(useEditor());
  const { data } = useQuery(profilesQuery(useStudio()));
  const profile = findProfile(options, facts, data?.profiles ?? []);
  const style =
    profile !== null && 'own' in profile ? profile.own.name : t(`exports.profiles.${profile?.guide ?? 'own'}`);
  const areNamesWritten = useDocument(({ transcript }) => namesAreWritten(options, transcript));
  return (
    <div className={css['section']}>
      <Switch
        label={t('editor.captions.check')}
        hint={[
          t(`editor.captions.hints.${options['cuesFrom'] === 'segments' ? 'segments' : 'sentences'}`, { style }),
          ...(areNamesWritten ? [t('editor.captions.hints.names')] : []),
        ].join(' ')}
        isOn={isOn}
        onChange={store.checkCaptions}
      />
    </div>
  );
}

function AddSpeaker() {
  const t = useText();
  const run = useRunCommand();
  const canAdd = useAvailability().ids.includes('speaker.add');
  return (
    canAdd && (
      <Button size="sm" icon={Plus} onPress={() => run('speaker.add')}>
        {t('editor.speaker.add')}
      </Button>
    )
  );
}

function Speakers() {
  const t = useText();
  const timeWords = useTimeWords();
  const { document: text } = useEditor();
  const hasSegments = useHasSegments();
  // Typing changes nobody's time, so most changes of the text change nothing here.
  const spoken = useDocument(({ transcript }) => spokenBy(transcript));
  const speakers = useMemo(
    () => listSpeakers(text.getState().transcript, (number) => t('common.speaker', { number })),
    // oxlint-disable-next-line react/exhaustive-deps -- `spoken` stands for what is read of the transcript
    [spoken, text, t],
  );
  if (speakers.length === 0)
    return hasSegments ? (
      <div className={notices['strip']}>
        <p>{t('editor.speaker.none')}</p>
        <AddSpeaker />
      </div>
    ) : null;
  return (
    <div className={css['section']}>
      <div aria-hidden className={css['shares']}>
        {speakers
          .filter(({ talkMs }) => talkMs > 0)
          .map((speaker) => (
            <i key={speaker.id} style={{ ...tint(speaker), flexGrow: Math.max(0.005, speaker.share) }} />
          ))}
      </div>
      <ul className={css['speakers']}>
        {speakers.map((speaker) => (
          <li
            key={speaker.id}
            aria-label={t('editor.inspector.talkTime', {
              name: speaker.name,
              time: timeWords(Math.round(speaker.talkMs / 1000) * 1000),
            })}
          >
            <SpeakerMenu speaker={speaker} />
            <span className="rigid caption digits subtle">{lengthClock(speaker.talkMs)}</span>
          </li>
        ))}
      </ul>
      <AddSpeaker />
    </div>
  );
}

function AccountText() {
  const t = useText();
  const formats = useFormats();
  const words = useFailureText();
  const studio = useStudio();
  const { detail, store } = useEditor();
  const { syncsEdits } = useSettings();
  const change = useSettingsChange();
  const { data, refetch } = useSync();
  if (data === undefined) return null;
  const { state, sentAtMs, failure } = data;
  const isSent = state === 'same' && sentAtMs !== null;
  return (
    <section className={css['section']} aria-label={t('editor.account.title')}>
      <h2 className={css['heading']}>{t('editor.account.title')}</h2>
      {state !== 'not-there' && (
        <Switch
          label={t('editor.account.keep')}
          hint={t('editor.account.keepHint')}
          isOn={syncsEdits}
          onChange={(isOn) =>
            void change({ syncsEdits: isOn })
              .then(() => studio.request('transcripts.sync', { transcriptId: detail.id, sends: isOn }))
              .then(() => refetch())
          }
        />
      )}
      <output className={css['account']}>
        {isSent ? t('editor.account.sent', { time: formats.time(sentAtMs) }) : t(`editor.account.${state}`)}
        {failure !== null && state === 'waiting' && ` ${words(failure).text}`}
      </output>
      {state === 'conflict' && (
        <Button icon={GitCompareArrows} onPress={() => store.showView('versions')}>
          {t('editor.account.compare')}
        </Button>
      )}
    </section>
  );
}

function Facts() {
  const t = useText();
  const formats = useFormats();
  const { detail } = useEditor();
  const { ids } = useAvailability();
  const { recordingName, sourceName } = detail;
  const isFromText = isTextName(sourceName);
  const { durationMs, segments } = useDeferredValue(useDocument((state) => state.transcript));
  return (
    <FactList
      facts={[
        ...(isFromText ? [{ label: t('editor.info.importedFrom'), value: sourceName }] : []),
        ...(isFromText && recordingName === null
          ? []
          : [
              {
                label: t(isFromText ? 'editor.info.attached' : 'editor.info.file'),
                value: (isFromText ? recordingName : null) ?? sourceName,
                action: (
                  <>
                    {ids.includes('transcript.attachRecording') && (
                      <CommandButton id="transcript.attachRecording" size="sm" icon={Replace} />
                    )}
                    {ids.includes('transcript.showRecording') && (
                      <CommandButton id="transcript.showRecording" size="sm" icon={FolderOpen} />
                    )}
                  </>
                ),
              },
            ]),
        ...(detail.madeBy?.origin === 'service'
          ? [
              {
                label: t('editor.info.madeBy'),
                value: `${t('editor.info.madeAtService')}, ${formats.date(detail.createdAtMs)}`,
              },
            ]
          : []),
        { label: t('editor.info.length'), value: lengthClock(durationMs) },
        { label: t('editor.info.segments'), value: formats.number(segments.length) },
        {
          label: t('editor.info.words'),
          value: formats.number(segments.reduce((sum, { words }) => sum + words.length, 0)),
        },
      ]}
    />
  );
}

function TranscribeByService() {
  const t = useText();
  const formats = useFormats();
  const words = useFailureText();
  const studio = useStudio();
  const [, navigate] = useLocation();
  const { detail } = useEditor();
  const { mode, key } = useConnection();
  const settings = useSettings();
  const { choose } = useChooseMode();
  const isService = mode === 'service';
  const [isAsking, setIsAsking] = useState(isService && ordersNext === detail.id);
  const [includeSpeakers, setIncludeSpeakers] = useState(settings.includeSpeakers);
  const rate = useCreditRate(includeSpeakers);
  const [trouble, setTrouble] = useState<string | null>(null);
  const hasRecording = detail.recordingName !== null && detail.mediaUrl !== null;
  if (mode === 'unset' || modeOf(mode).isPractice || detail.madeBy?.origin !== 'local' || !hasRecording) return null;
  const { durationMs, language } = detail.transcript;
  const credits = expectedCredits([{ durationMs, sizeBytes: 0 }], rate);
  const wholeCredits = Math.ceil(credits ?? 0);
  const order = async () => {
    const options = { kind: 'transcribe', language, includeSpeakers } as const;
    const added = await studio.request('jobs.addRecordingOf', { transcriptId: detail.id, options });
    const refused = added.ok ? added.value.refused[0]?.failure : added.error;
    if (refused === undefined) navigate('/transcribe');
    else setTrouble(words(refused).text);
  };
  return (
    <section className={css['footer']} aria-label={t('editor.byService.button')}>
      <Button
        icon={CloudUpload}
        onPress={() => {
          if (key.present) setIsAsking(true);
          else navigate('/account');
        }}
      >
        {t('editor.byService.button')}
      </Button>
      <p className="small subtle">{t(key.present ? 'editor.byService.hint' : 'editor.byService.needsKey')}</p>
      {trouble !== null && <output className="small subtle">{trouble}</output>}
      <Question
        isOpen={isAsking}
        title={t('editor.byService.title')}
        confirm={t(isService ? 'editor.byService.confirm' : 'editor.byService.change')}
        onClose={() => {
          ordersNext = null;
          setIsAsking(false);
        }}
        onConfirm={() => {
          if (isService) void order();
          else {
            ordersNext = detail.id;
            void choose('service');
          }
        }}
        controls={
          isService && (
            <Switch label={t('editor.byService.speakers')} isOn={includeSpeakers} onChange={setIncludeSpeakers} />
          )
        }
      >
        {isService
          ? t(credits === null ? 'editor.byService.unpriced' : 'editor.byService.priced', {
              length: lengthClock(durationMs),
              amount: formats.number(wholeCredits),
              count: wholeCredits,
            })
          : t('editor.byService.changeText')}
      </Question>
    </section>
  );
}

function SegmentTimes() {
  const t = useText();
  const formats = useFormats();
  const { store } = useEditor();
  const { showsExactTimes } = useSettings();
  const changeSettings = useSettingsChange();
  const segment = useSegments()[useTargetPlace()];
  const isRippling = useEditorState((state) => state.isRippling);
  if (segment === undefined) return null;
  const seconds = formats.number((segment.endMs - segment.startMs) / 1000);
  return (
    <section className={css['times']} aria-label={t('editor.times.title')} data-segment-times>
      <h2 className={css['heading']}>{t('editor.times.title')}</h2>
      <EdgeField key={`${segment.id}-start`} edge="start" segment={segment} />
      <EdgeField key={`${segment.id}-end`} edge="end" segment={segment} />
      <p className={css['legend']}>
        {t('editor.waveform.seconds', { seconds })}. {t('editor.times.hint')}
      </p>
      <Switch label={t('editor.times.ripple')} isOn={isRippling} onChange={store.ripple} />
      <Switch
        label={t('editor.times.exact')}
        isOn={showsExactTimes}
        onChange={(isShown) => void changeSettings({ showsExactTimes: isShown })}
      />
    </section>
  );
}

function EdgeField({ edge, segment }: { readonly edge: Edge; readonly segment: Segment }) {
  const t = useText();
  const { timeCode } = useFormats();
  const editor = useEditor();
  const { document: text, isOpenEnded } = editor;
  const tellStop = useStopNotice();
  const backToText = useBackToText();
  const lengthMs = useEditorState((state) => state.lengthMs);
  const isRippling = useEditorState((state) => state.isRippling);
  const shownMs = edge === 'start' ? segment.startMs : segment.endMs;
  const refuse = (toMs: number) => {
    if (toMs > lengthMs && !isOpenEnded) return t('editor.times.beyondEnd', { time: timeCode(lengthMs) });
    // A start that takes everything along takes its own end along too.
    if ((edge === 'start' && isRippling) || isBesideOtherEdge(segment, edge, toMs)) return null;
    return edge === 'start'
      ? t('editor.times.startTooLate', { time: timeCode(segment.endMs) })
      : t('editor.times.endTooEarly', { time: timeCode(segment.startMs) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event.nativeEvent);
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    // The field takes back its own letters first.
    const isTyped = (event.target as HTMLInputElement).value !== timeCode(shownMs);
    if (step !== null && !isTyped) text[step]();
    else if (event.key === 'Escape' && !isTyped) {
      event.stopPropagation();
      backToText();
    } else if (direction !== 0 && !event.altKey && !event.ctrlKey && !event.metaKey)
      moveEdgeTo(editor, segment.id, edge, shownMs + direction * (event.shiftKey ? 100 : 10));
    else return;
    event.preventDefault();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys belong to the field inside
    <div data-edge-time={edge} onKeyDown={onKeyDown}>
      <TimeField
        label={t(`editor.times.${edge}`)}
        valueMs={shownMs}
        mostMs={Infinity}
        refuse={refuse}
        written={timeCode}
        onChange={(toMs) => {
          moveEdgeTo(editor, segment.id, edge, toMs);
          tellStop({ segmentId: segment.id, edge, toMs, isRippling });
        }}
      />
    </div>
  );
}
