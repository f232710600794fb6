import type { z } from 'zod';
import type { InputOf, OutputOf } from '../../electron/ipc/bridge.ts';
import type { Procedures, StreamProcedures } from '../../electron/sections/procedures.ts';

type Method = keyof Procedures;
export type RequestInput<M extends Method> = InputOf<Procedures[M]>;
export type RequestOutput<M extends Method> = OutputOf<Procedures[M]>;

export type { PageSettings as Settings } from '../../shared/domain/settings/settings.ts';
type AppDescription = RequestOutput<'app.describe'>;
export type Capabilities = AppDescription['capabilities'];
export type ConnectionState = AppDescription['connection'];
export type ConnectionReport = RequestOutput<'connection.check'>;
export type RecoveryState = RequestOutput<'recovery.describe'>;
export type StorageUse = RequestOutput<'storage.describe'>;
export type AddedFiles = RequestOutput<'jobs.addDropped'>;
export type TranscriptDetail = RequestOutput<'transcripts.open'>;
export type LibrarySearchAnswer = RequestOutput<'library.search'>;
export type IsolatedAudio = RequestOutput<'isolation.open'>;
export type ExchangeView = RequestOutput<'ask.settle'>;
export type AttachedFile = ExchangeView['files'][number];
export type LocalModelView = RequestOutput<'models.list'>['models'][number];
export type JobOptions = RequestInput<'jobs.addDropped'>['options'];
export type ListedTranscript = RequestOutput<'transcripts.list'>['transcripts'][number];
export type LibraryListing = RequestOutput<'library.list'>;
export type { ShownTake } from '../../shared/domain/speech/speech-document.ts';
export type ListedVoices = RequestOutput<'speak.voices'>;
export type SpokenText = RequestOutput<'speak.history'>['texts'][number];
export type SubtitleCheck = RequestOutput<'exports.check'>;
export type ManyExportsOptions = z.input<StreamProcedures['exports.many']['open']>;

export type SaveRequest = RequestInput<'exports.save'>;
export type SavedExport = RequestOutput<'exports.save'>;

export type CitedLine = RequestOutput<'ask.open'>['cited'][number];
export type Model = RequestOutput<'ask.models'>['models'][number];
export type Asked = RequestInput<'ask.estimate'>;
export type ShownDraft = RequestOutput<'clone.send'>['draft'];
