// The calls of Microsoft's client of Azure DevOps, which asks for the paths of its resources first.
import { getPersonalAccessTokenHandler, WebApi } from 'azure-devops-node-api';
import { WorkItemExpand } from 'azure-devops-node-api/interfaces/WorkItemTrackingInterfaces.js';
import { valuesIn } from './values.mjs';

const priority = 'Microsoft.VSTS.Common.Priority';
const description = 'System.Description';
const tags = 'System.Tags';
const priorities = ['', 'URGENT', 'HIGH', 'MEDIUM', 'LOW'];

/** Our priorities have names, our descriptions are text and our tags a list. */
function valuesOfItem(item) {
  const text = (item.fields[description] ?? '').replaceAll(/<[^>]*>/g, '').replaceAll('&#34;', '"');
  return [
    ...valuesIn(item, [priority, description, tags]),
    priorities[item.fields[priority]],
    text,
    ...(item.fields[tags]?.split('; ') ?? []),
  ];
}

export const azureDevopsCalls = {
  async ticketing_azure_devops_mock({ url, credentials: { secret } }) {
    const api = new WebApi(`${url}/alderpoint`, getPersonalAccessTokenHandler(secret));
    const core = await api.getCoreApi();
    const tracking = await api.getWorkItemTrackingApi();
    const project = 'Desk';
    const one = await core.getProject(project);
    const query = 'SELECT [System.Id] FROM WorkItems WHERE [System.TeamProject] = @project';
    const { workItems } = await tracking.queryByWiql({ query }, { project });
    const items = await tracking.getWorkItemsBatch(
      { ids: workItems.map(({ id }) => id), $expand: WorkItemExpand.Relations },
      project,
    );
    const item = await tracking.getWorkItem(
      items[0].id,
      undefined,
      undefined,
      WorkItemExpand.Relations,
      project,
    );
    const { comments } = await tracking.getComments(project, item.id);
    const path = { ticketId: String(item.id) };
    return [
      { operation: 'ticketing_list_projects', read: [valuesIn(one, ['visibility'])] },
      { operation: 'ticketing_query_tickets', read: items.map(valuesOfItem) },
      { operation: 'ticketing_get_ticket', path, read: [valuesOfItem(item)] },
      { operation: 'ticketing_list_comments', path, read: comments.map((one) => valuesIn(one)) },
    ];
  },
};
