import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Plus, UserRound, WandSparkles } from 'lucide-react';
import { useMemo, type KeyboardEvent } from 'react';
import { cueProblemKinds } from '../../../../shared/domain/subtitles/check-cues.ts';
import { lengthClock } from '../../../../shared/domain/time/time-code.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useAvailability, useKeyFor, useRunCommand } from '../../../lib/commands.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { findProfile, profilesQuery } from '../../../parts/exports/profile-of.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useChecksCaptions, useDocument, useEditor, useEditorState, useHasSegments } from '../editor-context.ts';
import { inspectorPanels, type InspectorPanel } from '../model/editor-store.ts';
import { scriptSetting } from '../model/script-choice.ts';
import { listSpeakers, spokenBy, timingOf } from '../model/speaker-list.ts';
import { useTimeWords } from '../time-words.ts';
import { Facts } from './facts.tsx';
import { AccountText } from './account-text.tsx';
import { SegmentTimes } from './segment-times.tsx';
import { TranscribeByService } from './transcribe-by-service.tsx';
import { SpeakerMenu } from './speaker-menu.tsx';
import { FindPanel } from './find-panel.tsx';
import { useAreNamesWritten, useCaptionFile } from './use-caption-problems.ts';
import css from './inspector.module.css';
import colours from './speaker-colours.module.css';

/** The panel beside the text: search, speakers, and facts about the transcript. */
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
        {panel === 'speakers' && (
          <>
            <Speakers />
            <OtherLetters />
          </>
        )}
        {panel === 'info' && (
          <>
            <SegmentTimes />
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
          onClick={() => {
            onPanel(one);
          }}
        >
          {t(`editor.inspector.tabs.${one}`)}
        </button>
      ))}
    </div>
  );
}

/** Caption rules are checked on request; uncertain words are shown only where the service reports confidence. */
function CaptionRules() {
  const t = useText();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const { store } = useEditor();
  const formats = useFormats();
  const isOn = useChecksCaptions();
  const { options, facts } = useCaptionFile(useEditor());
  const { data } = useQuery(profilesQuery(useStudio()));
  const profile = findProfile(options, facts, data?.profiles ?? []);
  const style =
    profile !== null && 'own' in profile ? profile.own.name : t(`exports.profiles.${profile?.guide ?? 'own'}`);
  const found = useEditorState((state) => state.captionProblems);
  const count = [...found.values()].reduce((sum, one) => sum + one, 0);
  const areNamesWritten = useAreNamesWritten();
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
      <div className={css['problems']}>
        <output>{isOn && (count === 0 ? t('editor.captions.none') : t('editor.captions.found', { count }))}</output>
        {isOn && count > 0 && (
          <>
            <IconButton
              size="sm"
              icon={ArrowUp}
              label={t('palette.commands.previousProblem')}
              shortcut={keyFor('captions.previousProblem')}
              onPress={() => run('captions.previousProblem')}
            />
            <IconButton
              size="sm"
              icon={ArrowDown}
              label={t('palette.commands.nextProblem')}
              shortcut={keyFor('captions.nextProblem')}
              onPress={() => run('captions.nextProblem')}
            />
            <IconButton
              size="sm"
              icon={WandSparkles}
              label={t('palette.commands.mendCaptions')}
              shortcut={keyFor('captions.mendAll')}
              onPress={() => run('captions.mendAll')}
            />
          </>
        )}
      </div>
      <ul className={css['kinds']}>
        {cueProblemKinds.map(
          (kind) =>
            found.has(kind) && (
              <li key={kind}>
                <span>{t(`exports.problems.${kind}`)}</span>
                <span>{formats.number(found.get(kind) ?? 0)}</span>
              </li>
            ),
        )}
      </ul>
    </div>
  );
}

/** Uzbek in its other alphabet: affects display and export, not the stored text. */
function OtherLetters() {
  const t = useText();
  const { scriptChoice } = useEditor();
  const change = useSettingsChange();
  if (scriptChoice === null) return null;
  return (
    <div className={css['section']}>
      <Switch
        label={t(`editor.letters.${scriptChoice.other}`)}
        hint={t('editor.letters.hint')}
        isOn={scriptChoice.isOther}
        onChange={(isOther) => void change({ transcriptScript: scriptSetting(scriptChoice, isOther) })}
      />
    </div>
  );
}

function NoSpeakers() {
  const t = useText();
  return (
    <EmptyState icon={UserRound} title={t('editor.speaker.none')} action={<AddSpeaker />}>
      {t('editor.speaker.noneText')}
    </EmptyState>
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
  if (speakers.length === 0) return hasSegments ? <NoSpeakers /> : null;
  return (
    <div className={css['section']}>
      <h2 className={css['heading']}>{t('editor.inspector.speakers')}</h2>
      <div aria-hidden className={css['shares']}>
        {speakers
          .filter(({ talkMs }) => talkMs > 0)
          .map((speaker) => (
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
            aria-label={t('editor.inspector.talkTime', {
              name: speaker.name,
              time: timeWords(Math.round(speaker.talkMs / 1000) * 1000),
            })}
          >
            <SpeakerMenu speaker={speaker} />
            <span className={css['talk']}>{lengthClock(speaker.talkMs)}</span>
          </li>
        ))}
      </ul>
      <AddSpeaker />
    </div>
  );
}
