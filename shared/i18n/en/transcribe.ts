export const transcribe = {};
