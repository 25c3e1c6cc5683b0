/**
 * The operations the page calls, as the server's table has them: a test compares the two. The role is whom a button is
 * shown to; the server asks for it again.
 */
export const operations = {
  login: { method: "POST", path: "/api/v1/login", role: "viewer" },
  logout: { method: "DELETE", path: "/api/v1/session", role: "viewer" },
  whoAmI: { method: "GET", path: "/api/v1/whoami", role: "viewer" },
  showOverview: { method: "GET", path: "/api/v1/overview", role: "viewer" },
  showCatalog: { method: "GET", path: "/api/v1/catalog", role: "viewer" },
  listEvents: { method: "GET", path: "/api/v1/events", role: "viewer" },
  showEvent: { method: "GET", path: "/api/v1/events/{id}", role: "viewer" },
  listSessions: { method: "GET", path: "/api/v1/sessions", role: "viewer" },
  verifyAudit: { method: "GET", path: "/api/v1/audit/verify", role: "viewer" },
  listApprovals: { method: "GET", path: "/api/v1/approvals", role: "viewer" },
  showApproval: { method: "GET", path: "/api/v1/approvals/{id}", role: "viewer" },
  decideApproval: { method: "POST", path: "/api/v1/approvals/{id}/decision", role: "operator" },
  listHooks: { method: "GET", path: "/api/v1/hooks", role: "viewer" },
  switchHook: { method: "PATCH", path: "/api/v1/hooks/{id}", role: "admin" },
  outboxStatus: { method: "GET", path: "/api/v1/webhooks", role: "viewer" },
  listDeliveries: { method: "GET", path: "/api/v1/webhooks/deliveries", role: "viewer" },
  showDelivery: { method: "GET", path: "/api/v1/webhooks/deliveries/{id}", role: "viewer" },
  replayDelivery: { method: "POST", path: "/api/v1/webhooks/deliveries/{id}/replay", role: "operator" },
  listBatchRuns: { method: "GET", path: "/api/v1/batch", role: "viewer" },
  cancelBatch: { method: "DELETE", path: "/api/v1/batch/{run_id}", role: "operator" },
  resumeBatch: { method: "POST", path: "/api/v1/batch/{run_id}/resume", role: "operator" },
} as const;

export type OperationName = keyof typeof operations;
