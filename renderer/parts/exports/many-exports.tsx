import {
  copyNameParts,
  batchLayouts,
  copyCollisions,
  copyName,
  templateFault,
} from '../../../shared/domain/exports/safe-file-name.ts';
import { Check, CircleAlert, Ellipsis, FolderOpen, RotateCw, Plus } from 'lucide-react';
import { useState, useEffect, useRef } from 'react';
import { ToggleButtonGroup, Group } from 'react-aria-components';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import {
  exportFormats,
  isCutFormat,
  isVideoFormat,
  seldomFormats,
  type ExportFormat,
} from '../../../shared/domain/exports/formats.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { ManyExportsOptions } from '../../bridge/types.ts';
import { cx } from '../../lib/class-names.ts';
import { useFailureText } from '../../lib/failure-text.ts';
import { useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { ToggleChip } from '../../ui/toggle-chip.tsx';
import css from './many-exports.module.css';
import { Field } from '../../ui/field.tsx';

/** Few recordings are videos, and each of these has a container of its own. */
const offered = exportFormats.filter((format) => !isVideoFormat(format));

const begun: ManyRun = {
  state: 'running',
  done: 0,
  total: 0,
  name: '',
  fileCount: 0,
  skippedCount: 0,
  failures: [],
  failure: null,
  revealToken: null,
};

export interface ManyExportsProps {
  readonly transcripts: readonly {
    readonly id: string;
    readonly title: string;
    readonly isSilent?: boolean;
  }[];
  readonly onClose: () => void;
}

export function ManyExports({ transcripts, onClose }: ManyExportsProps) {
  const t = useText();
  const { manyExports, exportFolderName } = useSettings();
  const [formats, setFormats] = useState<readonly ExportFormat[]>(manyExports.formats);
  const [template, setTemplate] = useState(manyExports.template);
  const [collision, setCollision] = useState(manyExports.collision);
  const [layout, setLayout] = useState(manyExports.layout);
  const exporting = useManyExports();
  const { run } = exporting;
  const [isAsking, setIsAsking] = useState(false);
  const isRunning = run?.state === 'running';
  const fault = templateFault(template);
  const [first] = transcripts;
  const example =
    fault !== null || first === undefined
      ? null
      : copyName(
          template,
          { sourceName: `${first.title}.x`, finishedAtMs: 0, language: 'uz', speakerCount: 1 },
          exporters[formats[0] ?? 'txt'].extension,
        );
  const items = transcripts
    .map(({ id, isSilent = false }) => ({
      transcriptId: id,
      formats: formats.filter((format) => !isSilent || !isCutFormat(format)),
    }))
    .filter((item) => item.formats.length > 0);
  const count = items.reduce((sum, item) => sum + item.formats.length, 0);
  const silentCount = transcripts.length * formats.length - count;
  const begin = () => {
    setIsAsking(false);
    void exporting.begin({ items, template, collision, layout });
  };
  return (
    <Dialog
      title={t('exports.many.title', { count: transcripts.length })}
      width="lg"
      isOpen
      onClose={() => {
        // Closing the dialog, also by a click outside it, asks first while files are being written.
        if (isRunning) setIsAsking(!isAsking);
        else onClose();
      }}
      footer={
        isRunning && isAsking ? (
          <>
            <p role="alert" className="fill">
              {t('exports.many.stopQuestion')}
            </p>
            <Button isAutoFocused onPress={() => setIsAsking(false)}>
              {t('exports.many.goOn')}
            </Button>
            <Button variant="danger" onPress={exporting.cancel}>
              {t('exports.many.stop')}
            </Button>
          </>
        ) : isRunning ? (
          <Button onPress={exporting.cancel}>{t('exports.cancel')}</Button>
        ) : (
          <>
            {run !== null && run.failures.length > 0 && (
              <Button icon={RotateCw} onPress={() => void exporting.retry({ template, collision, layout })}>
                {t('exports.many.retry', { count: run.failures.length })}
              </Button>
            )}
            <Button
              variant={run === null ? 'primary' : 'default'}
              isDisabled={count === 0 || fault !== null}
              onPress={begin}
            >
              {t('exports.many.begin', { count })}
            </Button>
            {run !== null && (
              <Button variant="primary" onPress={onClose}>
                {t('exports.many.close')}
              </Button>
            )}
          </>
        )
      }
    >
      <div className="grid gap-16">
        {run !== null && <Outcome run={run} onReveal={(token) => void exporting.reveal(token)} />}
        <fieldset className={css['formats']} disabled={isRunning}>
          <legend>{t('exports.many.formats')}</legend>
          <FormatChips offered={offered} chosen={formats} onChange={setFormats} />
        </fieldset>
        {silentCount > 0 && <p className="small muted">{t('exports.many.silent', { count: silentCount })}</p>}
        <div className={css['place']}>
          <FolderOpen aria-hidden size={16} strokeWidth={1.75} />
          <span className="fill cut">{exportFolderName ?? t('exports.many.noFolder')}</span>
          <Button size="sm" variant="ghost" onPress={() => void exporting.chooseFolder()}>
            {t(exportFolderName === null ? 'exports.many.choose' : 'exports.change')}
          </Button>
        </div>
        <NameTemplate
          label={t('exports.many.template')}
          value={template}
          onChange={setTemplate}
          hint={example === null ? null : t('exports.many.example', { name: example })}
        />
        <div className={css['pair']}>
          <Segmented
            label={t('exports.many.layout')}
            isLabelShown
            isBlock
            size="sm"
            options={batchLayouts.map((value) => ({ value, text: t(`exports.many.layouts.${value}`) }))}
            value={layout}
            onChange={setLayout}
          />
          <Segmented
            label={t('exports.many.collision')}
            isLabelShown
            isBlock
            size="sm"
            options={copyCollisions.map((value) => ({ value, text: t(`settings.automation.collisions.${value}`) }))}
            value={collision}
            onChange={setCollision}
          />
        </div>
      </div>
    </Dialog>
  );
}

/** What few choose is a press away, unless some of it is chosen already. */
export function FormatChips(props: {
  readonly offered: readonly ExportFormat[];
  readonly chosen: readonly ExportFormat[];
  readonly disallowEmptySelection?: boolean;
  readonly onChange: (formats: ExportFormat[]) => void;
}) {
  const { offered: all, chosen, onChange, disallowEmptySelection = false } = props;
  const t = useText();
  const [showsAll, setShowsAll] = useState(chosen.some((format) => seldomFormats.has(format)));
  // The usual ones are few enough to stand in a line.
  const groups = showsAll
    ? [...Map.groupBy(all, (format) => exporters[format].group)]
    : [[null, all.filter((format) => !seldomFormats.has(format))] as const];
  return (
    <div className="flow gap-8">
      <ToggleButtonGroup
        className="grid gap-8"
        aria-label={t('exports.many.formats')}
        selectionMode="multiple"
        disallowEmptySelection={disallowEmptySelection}
        selectedKeys={chosen}
        onSelectionChange={(keys) => onChange(all.filter((format) => keys.has(format)))}
      >
        {groups.map(([group, formats]) => (
          <span key={group} className="row gap-6 wrap">
            {group !== null && <span className={css['name']}>{t(`exports.${group}`)}</span>}
            {formats.map((format) => (
              <ToggleChip key={format} id={format}>
                {t(`exports.formats.${format}.name`)}
              </ToggleChip>
            ))}
          </span>
        ))}
      </ToggleButtonGroup>
      {!showsAll && (
        <Button size="sm" variant="ghost" icon={Ellipsis} onPress={() => setShowsAll(true)}>
          {t('exports.moreFormats')}
        </Button>
      )}
    </div>
  );
}

function Outcome({ run, onReveal }: { readonly run: ManyRun; readonly onReveal: (token: string) => void }) {
  const t = useText();
  const words = useFailureText();
  if (run.state === 'running')
    return (
      <div className={css['outcome']}>
        <ProgressBar
          label={t('exports.many.running')}
          progress={{ tag: 'determinate', fraction: run.total === 0 ? 0 : run.done / run.total }}
        />
        <output>{t('exports.many.progress', { done: Math.floor(run.done), total: run.total, name: run.name })}</output>
      </div>
    );
  const { revealToken } = run;
  const isDone = run.failures.length === 0 && run.failure === null;
  const isPart = run.failure === null && run.fileCount > 0;
  const Icon = isDone ? Check : CircleAlert;
  return (
    <div className={css['outcome']}>
      <p className={cx('row gap-6', isDone ? css['done'] : !isPart && css['failed'])}>
        <Icon aria-hidden size={14} strokeWidth={1.75} />
        <output>
          {run.failure !== null
            ? words(run.failure).text
            : run.state === 'stopped'
              ? t('exports.many.stopped')
              : run.failures.length > 0
                ? t('exports.many.partly', { count: run.fileCount, total: run.fileCount + run.failures.length })
                : (run.fileCount > 0 || run.skippedCount === 0) && t('exports.many.done', { count: run.fileCount })}
          {run.skippedCount > 0 && ` ${t('exports.many.skipped', { count: run.skippedCount })}`}
        </output>
        {revealToken !== null && (
          <Button size="sm" variant="ghost" onPress={() => onReveal(revealToken)}>
            {t('exports.show')}
          </Button>
        )}
      </p>
      {run.failures.length > 0 && (
        <ul>
          {run.failures.map(({ transcriptId, title, format, failure }) => (
            <li key={`${transcriptId} ${format}`}>
              <b>
                {title ?? transcriptId}
                {exporters[format].extension}
              </b>{' '}
              {words(failure).text}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface FailedExport {
  readonly transcriptId: string;
  readonly title: string | null;
  readonly format: ExportFormat;
  readonly failure: Failure;
}

interface ManyRun {
  readonly state: 'running' | 'ended' | 'stopped';
  readonly done: number;
  readonly total: number;
  readonly name: string;
  readonly fileCount: number;
  readonly skippedCount: number;
  readonly failures: readonly FailedExport[];
  readonly failure: Failure | null;
  readonly revealToken: string | null;
}

type Wanted = Omit<ManyExportsOptions, 'options'>;

/** A second run repeats only what failed in the first. */
function useManyExports() {
  const studio = useStudio();
  const { exportChoices, exportFolderName } = useSettings();
  const [run, setRun] = useState<ManyRun | null>(null);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  const chooseFolder = () => studio.request('exports.chooseFolder', {});

  const begin = async (wanted: Wanted): Promise<void> => {
    if (exportFolderName === null) {
      const chosen = await chooseFolder();
      if (!chosen.ok || !chosen.value.isChosen) return;
    }
    setRun(begun);
    const opened = await studio.open('exports.many', { ...wanted, options: exportChoices });
    if (!opened.ok) {
      setRun({ ...begun, state: 'ended', failure: opened.error });
      return;
    }
    const stream = opened.value;
    stop.current = stream.cancel;
    for await (const message of stream.incoming) {
      if (message.kind === 'progress')
        setRun({ ...begun, done: message.done, total: message.total, name: message.title });
      else setRun({ ...begun, ...message, state: 'ended' });
    }
    stop.current = null;
    const ended = await stream.ended;
    if (!ended.ok)
      setRun(
        ended.error.code === 'stream_cancelled'
          ? { ...begun, state: 'stopped' }
          : { ...begun, state: 'ended', failure: ended.error },
      );
  };

  return {
    run,
    begin,
    cancel: () => stop.current?.(),
    retry(how: Omit<Wanted, 'items'>): Promise<void> {
      const failed = Map.groupBy(run?.failures ?? [], ({ transcriptId }) => transcriptId);
      const items = [...failed].map(([transcriptId, all]) => ({
        transcriptId,
        formats: all.map(({ format }) => format),
      }));
      return begin({ ...how, items });
    },
    chooseFolder,
    reveal: (revealToken: string) => studio.request('exports.reveal', { revealToken }),
  };
}

export interface NameTemplateProps {
  readonly label: string;
  readonly value: string;
  readonly hint: string | null;
  readonly onChange: (value: string) => void;
  readonly onDone?: () => void;
}

export function NameTemplate({ label, value, hint, onChange, onDone }: NameTemplateProps) {
  const t = useText();
  const fault = templateFault(value);
  return (
    <div className="grid gap-6">
      <Field
        label={label}
        value={value}
        onChange={onChange}
        error={
          fault === null
            ? null
            : fault.kind === 'empty'
              ? t('settings.automation.templateEmpty')
              : fault.kind === 'too-long'
                ? t('settings.automation.templateTooLong')
                : t('settings.automation.templateUnknown', { part: `{${fault.part}}` })
        }
        {...(hint !== null && { hint })}
        {...(onDone !== undefined && { onBlur: onDone, onEnter: onDone })}
      />
      <Group aria-label={t('exports.many.parts.label')} className="row gap-6 wrap">
        {copyNameParts
          .filter((part) => !value.includes(`{${part}}`))
          .map((part) => (
            <Button
              key={part}
              size="sm"
              icon={Plus}
              onPress={() => onChange(`${value.trimEnd()} {${part}}`.trimStart())}
            >
              {t(`exports.many.parts.${part}`)}
            </Button>
          ))}
      </Group>
    </div>
  );
}
