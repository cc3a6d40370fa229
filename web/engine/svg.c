/* svg.c: room web: the picture of `tenon draw`, from wherever the page looks. */
#include "page.h"
#include "picture/picture.h"

/* axes[9]: right, up, toward the viewer. NULL: no memory. */
const char *PAGE_EXPORT(page_svg)(uint32_t what, const double *axes, const char *title)
{
    picture pic = {0};
    pic.view = (picture_view){"page",
                              {axes[0], axes[1], axes[2]},
                              {axes[3], axes[4], axes[5]},
                              {axes[6], axes[7], axes[8]}};
    tn_draw_options options = tn_default_draw_options();
    options.what = what;
    if (tn_sim_draw(the_page.sim, &options, picture_add, &pic) == TN_OK)
        picture_sort(&pic);
    char note[64];
    snprintf(note, sizeof note, "t = %.6g s", tn_sim_time(the_page.sim));
    FILE *stream = page_text_begin();
    if (stream != NULL)
        picture_write_svg(&pic, title, note, stream);
    const bool good = pic.status == TN_OK;
    picture_free(&pic);
    return stream != NULL && good ? page_text_end(stream) : NULL;
}
