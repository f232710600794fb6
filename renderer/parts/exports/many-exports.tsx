import { Check, CircleAlert, FolderOpen, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { ToggleButtonGroup } from 'react-aria-components';
import { batchLayouts, copyCollisions, copyName, templateFault } from '../../../shared/domain/exports/copy-name.ts';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import { exportFormats, isAudioFormat, type ExportFormat } from '../../../shared/domain/exports/formats.ts';
import { exportGroups } from '../../../shared/domain/exports/exporter.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { ToggleChip } from '../../ui/toggle-chip.tsx';
import css from './many-exports.module.css';
import { NameTemplate } from './name-template.tsx';
import { useManyExports, type ManyRun } from './use-many-exports.ts';

export interface ManyExportsProps {
  readonly transcripts: readonly {
    readonly id: string;
    readonly title: string;
    /** The transcript was imported without a recording, so no audio can be exported. */
    readonly isSilent?: boolean;
  }[];
  readonly onClose: () => void;
}

/** Exports many transcripts in many formats, with a choice of names and folder. */
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
      formats: formats.filter((format) => !isSilent || !isAudioFormat(format)),
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
      closeLabel={t('common.close')}
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
            <p role="alert" className={css['asked']}>
              {t('exports.many.stopQuestion')}
            </p>
            <Button
              isAutoFocused
              onPress={() => {
                setIsAsking(false);
              }}
            >
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
              <Button
                icon={RotateCw}
                onPress={() => {
                  void exporting.retry({ template, collision, layout });
                }}
              >
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
      <div className={css['body']}>
        {run !== null && (
          <Outcome
            run={run}
            onReveal={(token) => {
              void exporting.reveal(token);
            }}
          />
        )}
        <fieldset className={css['formats']} disabled={isRunning}>
          <legend>{t('exports.many.formats')}</legend>
          <ToggleButtonGroup
            className={css['group'] ?? ''}
            aria-label={t('exports.many.formats')}
            selectionMode="multiple"
            selectedKeys={formats}
            onSelectionChange={(keys) => {
              setFormats(exportFormats.filter((format) => keys.has(format)));
            }}
          >
            {exportGroups.map((group) => (
              <span key={group} className={css['row']}>
                <span className={css['name']}>{t(`exports.${group}`)}</span>
                {exportFormats
                  .filter((format) => exporters[format].group === group)
                  .map((format) => (
                    <ToggleChip key={format} id={format}>
                      {t(`exports.formats.${format}.name`)}
                    </ToggleChip>
                  ))}
              </span>
            ))}
          </ToggleButtonGroup>
        </fieldset>
        {silentCount > 0 && <p className={css['silent']}>{t('exports.many.silent', { count: silentCount })}</p>}
        <div className={css['place']}>
          <FolderOpen aria-hidden size={16} strokeWidth={1.75} />
          <span>{exportFolderName ?? t('exports.many.noFolder')}</span>
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

/** The progress, or the result with each failure by name. */
function Outcome({ run, onReveal }: { readonly run: ManyRun; readonly onReveal: (token: string) => void }) {
  const t = useText();
  const words = useFailureWords();
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
  return (
    <div className={css['outcome']}>
      <p
        className={
          css[
            run.failure !== null
              ? 'failed'
              : run.failures.length === 0
                ? 'done'
                : run.fileCount === 0
                  ? 'failed'
                  : 'partly'
          ]
        }
      >
        {run.failures.length > 0 || run.failure !== null ? (
          <CircleAlert aria-hidden size={14} strokeWidth={1.75} />
        ) : (
          <Check aria-hidden size={14} strokeWidth={1.75} />
        )}
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
          <Button
            size="sm"
            variant="ghost"
            onPress={() => {
              onReveal(revealToken);
            }}
          >
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
