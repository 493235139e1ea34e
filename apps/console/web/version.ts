import { version as ofPackage } from '../../../package.json';

/** The version of Onefold that these pages belong to. */
export const version = ofPackage;
