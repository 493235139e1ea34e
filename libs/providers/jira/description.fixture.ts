import { Description } from '../../../test/simulators/description.js';
import { jira } from '../../../test/simulators/jira/jira.js';

export const description = new Description(jira.description);

/** Admin webhooks are described in a guide alone, and files come from another host. */
export const undescribed = /\/rest\/webhooks\/|\/file\/binary/;
