export const dialogs = {};
