import { analyticsLimits, keyLimits } from '../domain/account/key-input.ts';
import { attachedAtMost } from '../domain/assistant/ask-tasks.ts';
import { webhookLimits } from '../domain/webhooks/webhook-input.ts';

const mib = 1024 * 1024;
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Limits of the service (contract 4 and 8): times in milliseconds, sizes in bytes, pages as smallest, largest, default. */
export const limits = {
  requestsPerSecond: 70,
  analytics: analyticsLimits,
  pages: {
    keys: { min: 1, max: 100, default: 50 },
    requestLogs: { min: 1, max: 100, default: 50 },
    generations: { min: 1, max: 100, default: 30 },
    transcriptions: { min: 1, max: 100, default: 10 },
    isolations: { min: 1, max: 50, default: 20 },
    files: { min: 1, max: 100, default: 20 },
    webhooks: { min: 1, max: 100, default: 50 },
    webhookPage: { min: 1, max: 100_000, default: 1 },
  },
  key: keyLimits,
  speak: { speed: { min: 0.5, max: 2, default: 1 }, toolCharacters: { min: 1, max: 5000 } },
  legacy: {
    speakCharacters: { withKey: 1000, public: 500 },
    longFileBytes: 500_000_000,
    diarizationMinMs: 15 * second,
  },
  dictation: { commitMinMs: 100, commitMaxMs: 35 * second },
  isolation: { toolFileBytes: 300 * mib },
  toolRequestBytes: 10 * mib,
  attachment: {
    fileBytes: 4 * mib,
    pdfPages: 100,
    partsPerMessage: { min: 1, max: 12 },
    filesPerMessage: attachedAtMost.question,
    filesPerConversation: attachedAtMost.conversation,
    retentionMs: 30 * day,
    activePerAccount: 25,
    attemptsPerDay: 100,
    concurrentPerAccount: 4,
    concurrentPerReplica: 32,
    deadlineMs: 2 * minute,
  },
  webhook: webhookLimits,
  clone: {
    reference: { minMs: 10 * second, maxMs: 30 * second, maxBytes: 10 * mib },
    live: { minMs: 3 * second, maxMs: 60 * second, maxBytes: 10 * mib },
    transcriptCharacters: { min: 1, max: 20_000 },
    nameCharacters: { min: 1, max: 100 },
    descriptionCharacters: 1000,
    accentBytes: 80,
    challengeMs: 10 * minute,
    attempts: 5,
    similarity: 0.72,
    deadlineMs: 3 * minute,
    uploadsPerHour: { rate: 5, burst: 2 },
    stepsPerHour: { rate: 10, burst: 3 },
    activeVoices: 5,
  },
} as const;
