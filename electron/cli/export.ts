import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exporters } from '../../shared/domain/exports/exporters.ts';
import {
  isAllowed,
  type GivenOptions,
  type OptionSpecs,
  type OptionValue,
} from '../../shared/domain/exports/exporter.ts';
import { foldText } from '../../shared/domain/text/fold-text.ts';
import { presets, standardProfile, type SubtitleProfile } from '../../shared/domain/subtitles/profiles.ts';
import { maxProfileBytes, readProfile } from '../../shared/domain/subtitles/profile-file.ts';
import { exportDisk } from '../platform/node/export-disk.ts';
import { exportMany, type BatchOutcome } from '../services/exports/batch-export.ts';
import type { StoredExports } from '../workspace/stored-library.ts';
import type { ExportCommand } from './options.ts';
import { resultOf, type RunResult } from './ending.ts';
import { errorOf, visible, type Reporter } from './reporter.ts';

export interface ExportRun {
  readonly command: ExportCommand;
  readonly stored: StoredExports;
  readonly profileFolder: string;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

export type ExportProblem = { readonly problem: string; readonly word: string };

/** Exports from the library; nothing is sent and nothing is charged. */
export async function exportTranscripts(run: ExportRun): Promise<RunResult | ExportProblem> {
  const { command, stored, reporter, signal } = run;
  const { words } = reporter;
  const profile = command.profile === null ? null : findProfile(command.profile, run.profileFolder);
  if (command.profile !== null && profile === null) return { problem: 'badProfile', word: command.profile };
  const chosen = readChosen(command.options, command.formats);
  if (typeof chosen === 'string') return { problem: 'badOption', word: chosen };
  const listed = stored.list();
  if (!listed.ok) {
    reporter.failure(listed.error);
    return resultOf(listed.error);
  }
  const ids: string[] = [];
  let unknown = 0;
  if (command.isAll) ids.push(...listed.value.map(({ id }) => id));
  for (const name of command.names) {
    const found = listed.value.filter(({ id, title }) => id === name || foldText(title).text === foldText(name).text);
    if (found.length === 0) {
      unknown += 1;
      const message = words('cli.export.unknown', { name });
      reporter.json({ transcriptId: null, title: name, outputs: [], error: { code: 'unknown_transcript', message } });
      if (!reporter.isJson) reporter.note(visible(message));
    }
    for (const { id } of found) if (!ids.includes(id)) ids.push(id);
  }
  const outcomes = await exportMany(
    {
      items: ids.map((transcriptId) => ({ transcriptId, formats: command.formats })),
      options: () => ({ ...profile, ...chosen }),
      template: command.template,
      collision: command.overwrites ? 'overwrite' : 'number',
      layout: command.layout,
      folder: resolve(command.outDir),
    },
    { ...exportDisk, open: (id) => stored.open(id) },
    {
      signal,
      onProgress: (done, total, title) => {
        if (title !== '')
          reporter.status(words('cli.export.progress', { done: Math.floor(done), total, file: title }), {
            step: 'working',
            file: title,
            done,
            total,
          });
      },
    },
  );
  for (const outcome of outcomes) report(outcome, reporter);
  if (signal.aborted) reporter.note(words('cli.interrupted'));
  const failed = outcomes.filter(({ failures }) => failures.length > 0).length + unknown;
  const counts = { done: outcomes.length + unknown - failed, failed };
  reporter.json({ summary: counts });
  reporter.line(words('cli.export.summary', counts));
  return failed === 0 && outcomes.length === ids.length ? 'done' : 'failed';
}

function report({ transcriptId, title, outputs, failures }: BatchOutcome, reporter: Reporter): void {
  const failure = failures[0]?.failure;
  const error = failure === undefined ? null : errorOf(failure, reporter.explain(failure));
  reporter.json({ transcriptId, title, outputs, error });
  for (const path of outputs) reporter.line(visible(path));
  if (error !== null && !reporter.isJson)
    reporter.note(visible(reporter.words('cli.failed', { file: title ?? transcriptId, message: error.message })));
}

function findProfile(name: string, folder: string): SubtitleProfile | null {
  if (Object.hasOwn(presets, name)) return presets[name as keyof typeof presets];
  if (name === 'standard') return standardProfile('uz');
  for (const path of [name, join(folder, `${name}.json`)]) {
    try {
      const text = readFileSync(path, 'utf8');
      const found = text.length > maxProfileBytes ? null : readProfile(text);
      if (found !== null) return found.profile;
    } catch {
      // The next place may have it.
    }
  }
  return null;
}

function readChosen(typed: string, formats: ExportCommand['formats']): GivenOptions | string {
  const chosen: Record<string, OptionValue> = {};
  for (const pair of typed.split(',').map((part) => part.trim())) {
    if (pair === '') continue;
    const [, name = '', value = ''] = /^([a-z]+)=(.*)$/iu.exec(pair) ?? [];
    const candidates: readonly OptionValue[] = [
      value,
      ...(value === '' ? [] : [Number(value)]),
      ...(value === 'true' || value === 'false' ? [value === 'true'] : []),
    ];
    const fitting = formats.flatMap((format) => {
      const spec = (exporters[format].options as OptionSpecs)[name];
      return spec === undefined ? [] : candidates.filter((candidate) => isAllowed(spec, candidate));
    });
    if (fitting[0] === undefined) return pair;
    chosen[name] = fitting[0];
  }
  return chosen;
}
