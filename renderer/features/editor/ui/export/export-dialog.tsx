import { toFragment, toPlainText } from '../../../../../shared/domain/exports/document-formats.ts';
import { useMutation } from '@tanstack/react-query';
import {
  AudioLines,
  Braces,
  Captions,
  Clapperboard,
  Film,
  FileText,
  type LucideIcon,
  Check,
  CircleAlert,
  Copy,
  Download,
  Ellipsis,
  FolderOpen,
  History,
  Replace,
  RotateCw,
} from 'lucide-react';
import { useEffect, useRef, useState, useEffectEvent, useImperativeHandle, type RefObject } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import { exportGroups, type ExportGroup } from '../../../../../shared/domain/exports/exporter.ts';
import { exporters } from '../../../../../shared/domain/exports/exporters.ts';
import {
  exportFormats,
  type ExportFormat,
  isCutFormat,
  isVideoFormat,
  seldomFormats,
} from '../../../../../shared/domain/exports/formats.ts';
import { failureOf, valueOrThrow, RequestRefused } from '../../../../bridge/request-error.ts';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import { useFailureText } from '../../../../lib/failure-text.ts';
import { isShortcut, isTextField, type Shortcut } from '../../../../lib/hotkeys.ts';
import { Scope } from '../../../../lib/scope.ts';
import { useText, useFormats } from '../../../../lib/text.ts';
import { Dialog } from '../../../../ui/dialog.tsx';
import { useEditor, useEditorState } from '../../editor-context.ts';
import { ExportForm } from './export-form.tsx';
import { LineAlert } from '../../../../ui/line-alert.tsx';
import { ExportPreview, Saved } from './export-preview.tsx';
import css from './export-dialog.module.css';
import { useCheck, useIsEmpty, useExportChoice, type ExportChoice } from './use-export-choice.ts';
import { safeFileName } from '../../../../../shared/domain/exports/safe-file-name.ts';
import { useSettings } from '../../../../bridge/live-state.tsx';
import type { SavedExport, SaveRequest } from '../../../../bridge/types.ts';
import { Button } from '../../../../ui/button.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Menu } from '../../../../ui/menu.tsx';
import { ProgressBar } from '../../../../ui/progress-bar.tsx';
import { isAboutPlace, useExportAgain } from './use-export-again.ts';

const icons: Readonly<Record<ExportGroup, LucideIcon>> = {
  subtitles: Captions,
  documents: FileText,
  data: Braces,
  editing: Clapperboard,
  audio: AudioLines,
  video: Film,
};
const isFormat = (value: string): value is ExportFormat => (exportFormats as readonly string[]).includes(value);

export function ExportDialog() {
  const isOpen = useEditorState((state) => state.exportOpenedAt !== null);
  return isOpen ? <OpenExportDialog /> : null;
}

function OpenExportDialog() {
  const { store, detail } = useEditor();
  const t = useText();
  const choice = useExportChoice();
  const saver = useRef<(() => void) | null>(null);
  // As in a form, Enter saves, even while a radio button or nothing has the focus. Handled in the capture phase,
  // because the radio buttons stop Enter from bubbling.
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const scope = new Scope();
    const look = ({ key, repeat, target }: KeyboardEvent) => {
      const isChoice = target instanceof HTMLInputElement && target.type !== 'text';
      const isNothing = target === document.body || (target instanceof HTMLElement && target.role === 'dialog');
      if (key === 'Enter' && !repeat && (isChoice || isNothing)) saver.current?.();
    };
    scope.listen<KeyboardEvent>(window, 'keydown', look, { capture: true });
    // The browser would select labels and buttons too. A field keeps the key; in the preview it means all of it.
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => {
      const { target } = event;
      if (!isShortcut(event, 'Mod+KeyA') || isTextField(target)) return;
      event.preventDefault();
      const selection = document.getSelection();
      const preview = body.current?.querySelector('[data-preview]') ?? null;
      const isInside = [target, selection?.anchorNode ?? null].some(
        (one) => one instanceof Node && preview?.contains(one),
      );
      if (preview !== null && isInside) selection?.selectAllChildren(preview);
    });
    return () => scope.dispose();
  }, []);
  /** Nothing is written with an older value while a typed one is refused: that field gets the focus instead. */
  const unlessRefused = (write: () => void) => {
    const refused = body.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null;
    if (refused === null) {
      write();
      return;
    }
    const section = refused.closest('details');
    if (section !== null) section.open = true;
    refused.focus();
  };
  useEffect(() => {
    if (store.getState().exportOpenedAt === 'captionStyle')
      body.current?.querySelector<HTMLElement>('[data-caption-style] select')?.focus();
  }, [store]);
  return (
    <Dialog
      title={t('exports.title')}
      headerExtra={<span className="cut muted">{detail.title}</span>}
      width="wide"
      isOpen
      onClose={store.closeExport}
      footer={<ExportActions choice={choice} saver={saver} unlessRefused={unlessRefused} />}
    >
      <div ref={body} className={css['body']}>
        <FormatList format={choice.format} containers={choice.video?.containers ?? []} onChange={choice.chooseFormat} />
        <ExportForm choice={choice} />
        <ExportPreview choice={choice} />
      </div>
    </Dialog>
  );
}

function FormatList({
  format,
  containers,
  onChange,
}: {
  readonly format: ExportFormat;
  readonly containers: readonly ExportFormat[];
  readonly onChange: (format: ExportFormat) => void;
}) {
  const t = useText();
  const list = useRef<HTMLDivElement>(null);
  const [showsAll, setShowsAll] = useState(seldomFormats.has(format));
  useEffect(() => {
    list.current?.querySelector('[data-selected]')?.scrollIntoView({ block: 'nearest' });
    // What a video can be cut into is known later.
  }, [containers.length]);
  const shown = exportGroups.flatMap((group) => {
    const all = group === 'video' ? containers : exportFormats.filter((id) => exporters[id].group === group);
    const formats = all.filter((id) => showsAll || !seldomFormats.has(id));
    return formats.length === 0 ? [] : [[group, formats] as const];
  });
  return (
    <RadioGroup
      ref={list}
      aria-label={t('exports.format')}
      className={css['groups'] ?? ''}
      value={format}
      onChange={(value) => {
        if (isFormat(value)) onChange(value);
      }}
    >
      {shown.map(([group, formats]) => {
        const Icon = icons[group];
        return (
          <div key={group} className="column gap-2">
            <Label className={css['groupHeading'] ?? ''}>{t(`exports.${group}`)}</Label>
            {formats.map((id) => (
              <Radio
                key={id}
                value={id}
                className={css['format'] ?? ''}
                aria-describedby={`use-${id}`}
                // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog that opens takes the focus, at the choice that is made
                autoFocus={id === format}
              >
                <Icon aria-hidden size={16} strokeWidth={1.75} />
                <span className={css['formatName']}>{t(`exports.formats.${id}.name`)}</span>
                <span className={css['formatExtension']}>.{exporters[id].extension.split('.').at(-1)}</span>
                <span id={`use-${id}`} className={css['use']}>
                  {t(`exports.formats.${id}.use`)}
                </span>
              </Radio>
            ))}
          </div>
        );
      })}
      {!showsAll && (
        <Button size="sm" variant="ghost" icon={Ellipsis} onPress={() => setShowsAll(true)}>
          {t('exports.moreFormats')}
        </Button>
      )}
    </RadioGroup>
  );
}

const nothing: SavedExport = { savedAs: null, revealToken: null };

const enter: Shortcut = 'Enter';
const copiedForMs = 3000;
/** Formats with a page layout; they are copied with their formatting. */
const pages: ReadonlySet<string> = new Set(['docx', 'pdf', 'html']);

export function ExportActions({
  choice,
  saver,
  unlessRefused,
}: {
  readonly choice: ExportChoice;
  /** Receives the save function, so that Enter works anywhere in the dialog. */
  readonly saver: RefObject<(() => void) | null>;
  readonly unlessRefused: (write: () => void) => void;
}) {
  const t = useText();
  const studio = useStudio();
  const words = useFailureText();
  const editor = useEditor();
  const { detail, store } = editor;
  const fileName = useEditorState((state) => state.exportName);
  const { format, given, source } = choice;
  const chosen = JSON.stringify(given);
  const isDocument = pages.has(format);
  const request = { transcriptId: detail.id, format, options: { ...given }, source };
  const { exportFolderName, recentExports } = useSettings();
  const again = useExportAgain(editor);
  const cut = useCutExport();
  const { extension } = exporters[format];
  const ownName = safeFileName(detail.title, '');
  const name = fileName?.trim() ?? '';
  const replace = useMutation({
    mutationFn: (tokens: { readonly revealToken: string; readonly takenToken: string }) =>
      valueOrThrow(studio.request('exports.replace', tokens)),
  });
  const usualPlace = exportFolderName === null ? 'ask' : 'last';
  const save = useMutation({
    mutationFn: async (place: 'ask' | 'last') => {
      replace.reset();
      forgetCopy();
      const wanted = { ...request, place, ...(name === '' ? {} : { name }) };
      const saved = await (isCutFormat(format)
        ? cut.save(wanted)
        : valueOrThrow(studio.request('exports.save', wanted)));
      // Keep the name chosen in the system dialog for the next file.
      if (place === 'ask' && saved.savedAs?.endsWith(extension) === true) {
        const chosen = saved.savedAs.slice(0, -extension.length);
        store.nameExport(chosen === ownName ? null : chosen);
      }
      return saved;
    },
  });
  const choose = useMutation({ mutationFn: () => valueOrThrow(studio.request('exports.chooseFolder', {})) });
  const copy = useMutation({
    mutationFn: async () => {
      // Paragraphs are copied with their formatting; every other format is copied as the text of its file.
      const wanted = isDocument && source === 'studio' ? ({ ...request, format: 'docx' } as const) : request;
      const whole = await valueOrThrow(studio.request('exports.render', { ...wanted, part: 'all' }));
      if (whole.kind === 'text') return navigator.clipboard.writeText(whole.text);
      if (whole.kind !== 'outline') return undefined;
      const blob = (type: string, content: string) => new Blob([content], { type });
      return navigator.clipboard.write([
        new ClipboardItem({
          'text/html': blob('text/html', toFragment(whole.outline)),
          'text/plain': blob('text/plain', toPlainText(whole.outline)),
        }),
      ]);
    },
  });
  const { isSuccess: isCopied, reset: forgetCopy } = copy;
  useEffect(() => {
    if (!isCopied) return undefined;
    const scope = new Scope();
    scope.after(copiedForMs, forgetCopy);
    return () => scope.dispose();
  }, [isCopied, forgetCopy]);
  const reveal = useMutation({
    mutationFn: (revealToken: string) => valueOrThrow(studio.request('exports.reveal', { revealToken })),
  });
  // What was written is not what is chosen now. The buttons stay: the press of one may be what settled a typed value.
  const startOver = useEffectEvent(() => {
    cut.cancel();
    for (const { reset } of [save, replace, copy, reveal]) reset();
  });
  useEffect(() => startOver(), [format, chosen, source]);
  const saveTo = (place: 'ask' | 'last') => unlessRefused(() => save.mutate(place));
  const isSilent = isCutFormat(format) && detail.mediaUrl === null;
  const hasNothing = useIsEmpty(choice) || isSilent;
  useImperativeHandle(saver, () => () => {
    if (!save.isPending && !hasNothing) saveTo(usualPlace);
  });
  const failed = save.error ?? replace.error ?? reveal.error;
  const failure = failureOf(failed);
  const saved = replace.data ?? save.data;
  const token = saved?.revealToken ?? null;
  const takenToken = saved?.takenToken ?? null;
  return (
    <>
      <div className={css['place']}>
        <IconButton size="sm" icon={FolderOpen} label={t('exports.changeFolder')} onPress={() => choose.mutate()} />
        {exportFolderName !== null && <span className={css['folder']}>{exportFolderName} /</span>}
        <input
          className={css['name']}
          aria-label={t('exports.fileName')}
          value={fileName ?? ownName}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => store.nameExport(target.value)}
          onBlur={() => {
            // What a file can't be called is replaced here already, so that the field shows the name of the file.
            const clean = name === '' ? ownName : safeFileName(name, '');
            store.nameExport(clean === ownName ? null : clean);
          }}
          onKeyDown={({ key, repeat, nativeEvent }) => {
            if (key === 'Enter' && !repeat && !nativeEvent.isComposing) saver.current?.();
          }}
        />
        <span className="rigid muted">{extension}</span>
        {recentExports.length > 0 && (
          <Menu
            label={t('exports.recent')}
            placement="top end"
            entries={recentExports.map(({ format: made, folderName }, at) => ({
              id: String(at),
              text: t('exports.recentEntry', { format: t(`exports.formats.${made}.name`), folder: folderName }),
              icon: RotateCw,
              onAction: () => void again(at),
            }))}
            trigger={<IconButton label={t('exports.recent')} icon={History} size="sm" />}
          />
        )}
      </div>
      <div className={css['result']}>
        {cut.share !== null ? (
          <>
            <ProgressBar
              label={t(isVideoFormat(format) ? 'exports.videoWriting' : 'exports.audioWriting')}
              progress={{ tag: 'determinate', fraction: cut.share }}
              className={css['progress']}
            />
            <Button size="sm" variant="ghost" onPress={cut.cancel}>
              {t('exports.cancel')}
            </Button>
          </>
        ) : failed !== null ? (
          <>
            <LineAlert icon={CircleAlert}>{failure === null ? t('exports.failed') : words(failure).text}</LineAlert>
            {failure !== null && failed === save.error && isAboutPlace(failure) && (
              <Button size="sm" variant="ghost" icon={FolderOpen} onPress={() => saveTo('ask')}>
                {t('exports.otherPlace')}
              </Button>
            )}
          </>
        ) : copy.isError ? (
          <LineAlert icon={CircleAlert}>{t('exports.copyFailed')}</LineAlert>
        ) : typeof saved?.savedAs === 'string' ? (
          <>
            <Saved name={saved.savedAs} />
            {token !== null && takenToken !== null && (
              <Button
                size="sm"
                variant="ghost"
                icon={Replace}
                isLoading={replace.isPending}
                onPress={() => replace.mutate({ revealToken: token, takenToken })}
              >
                {t('exports.replace')}
              </Button>
            )}
            {token !== null && (
              <Button size="sm" variant="ghost" icon={FolderOpen} onPress={() => reveal.mutate(token)}>
                {t('exports.show')}
              </Button>
            )}
          </>
        ) : (
          source === 'studio' && exporters[format].group === 'subtitles' && <CueCount choice={choice} />
        )}
      </div>
      {!isCutFormat(format) && (
        <Button
          variant="ghost"
          icon={isCopied ? Check : Copy}
          isLoading={copy.isPending}
          isDisabled={hasNothing}
          onPress={() => unlessRefused(copy.mutate)}
        >
          {t(isCopied ? 'exports.copied' : isDocument && source === 'studio' ? 'exports.copyRich' : 'exports.copy')}
        </Button>
      )}
      <Button
        variant="primary"
        icon={Download}
        shortcut={enter}
        isLoading={save.isPending}
        isDisabled={hasNothing}
        onPress={() => saveTo(usualPlace)}
      >
        {t(exportFolderName === null ? 'exports.saveAs' : 'exports.saveHere', { format: extension.slice(1) })}
      </Button>
    </>
  );
}

function CueCount({ choice }: { readonly choice: ExportChoice }) {
  const t = useText();
  const formats = useFormats();
  const check = useCheck(choice);
  if (check === null) return null;
  const written = (count: number) => ({ count, number: formats.number(count) });
  const faster = check.problems.filter(({ kind }) => kind === 'too-fast').length;
  return (
    <output>
      {t('exports.captions', written(check.cueCount))}
      {faster > 0 && `, ${faster === check.cueCount ? t('exports.allFaster') : t('exports.faster', written(faster))}`}
    </output>
  );
}

function useCutExport() {
  const studio = useStudio();
  const [share, setShare] = useState<number | null>(null);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);
  return {
    share,
    cancel: () => stop.current?.(),
    async save(wanted: SaveRequest): Promise<SavedExport> {
      const stream = await valueOrThrow(studio.open('exports.saveCut', wanted));
      const { cancel } = stream;
      stop.current = cancel;
      let saved = nothing;
      for await (const message of stream.incoming) {
        if (message.kind !== 'share') saved = message;
        else if (stop.current === cancel) setShare(message.share);
      }
      // Another one may have begun since this was stopped.
      if (stop.current === cancel) {
        stop.current = null;
        setShare(null);
      }
      const ended = await stream.ended;
      if (ended.ok || ended.error.code === 'stream_cancelled') return saved;
      throw new RequestRefused(ended.error);
    },
  };
}
