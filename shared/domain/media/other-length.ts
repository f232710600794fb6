/** Encoders pad a little at both ends. */
const slackMs = 2_000;
const slackShare = 0.03;

/** Whether audio that was made of a recording is of another length, so that it may be of another one or of a part. */
export const isOtherLength = (recordingMs: number | null, audioMs: number | null): boolean =>
  recordingMs !== null && audioMs !== null && Math.abs(audioMs - recordingMs) > slackMs + recordingMs * slackShare;
