import type * as htmlparser2 from 'htmlparser2';
import { optionalPackage } from '../../language/optional-package.js';

export const markupLibrary = optionalPackage<typeof htmlparser2>('htmlparser2', 12);
