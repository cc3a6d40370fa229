/* page.h: the template of the page that `tenon view` writes (web/), compiled in. */
#ifndef TN_TOOL_PAGE_H
#define TN_TOOL_PAGE_H

/* Its bytes; where the model goes there is {{MODEL}}. */
extern const char tenon_page[], tenon_page_end[];

#endif
