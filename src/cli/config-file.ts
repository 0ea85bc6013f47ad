/** The configuration that is read when none is named. */
export const defaultConfigFile = 'toolgate.config.json';
